const LOOPBACK = '127.0.0.1'

/**
 * Some systems resolve localhost to ::1 first, which clients without IPv6 cannot reach. Clients that try ::1 first try
 * 127.0.0.1 next.
 */
export const toAddress = (host = LOOPBACK) => (host === 'localhost' ? LOOPBACK : host)
