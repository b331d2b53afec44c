const LOOPBACK = '127.0.0.1'

/**
 * For localhost, Fastify would open a second server for ::1, which is no proxy and which a stop does not wait for. Clients
 * that try ::1 first try 127.0.0.1 next.
 */
export const toAddress = (host = LOOPBACK) => (host === 'localhost' ? LOOPBACK : host)
