import type { FastifyRequest } from 'fastify'

const NAME = 'souk_session'
const TOKEN = /^[\w.|-]{1,200}$/

export type SessionCookie = ReturnType<typeof createSessionCookie>

/** The cookie with the token of a session. `publicUrl` is known once the service listens. */
export function createSessionCookie(publicUrl: () => string) {
  const isSecure = () => publicUrl().startsWith('https:')
  // With this prefix, browsers accept the cookie from this very host only, and from no subdomain.
  const name = () => (isSecure() ? `__Host-${NAME}` : NAME)
  /** Scripts cannot read the cookie, and requests from other sites do not have it. */
  const format = (token: string): string =>
    `${name()}=${token}; Path=/; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}`

  return {
    format,
    formatEnded: () => `${format('')}; Max-Age=0`,

    /** The token in the cookie of a request. Two cookies count as none: a page of a subdomain may have set one of them. */
    tokenIn({ headers }: FastifyRequest): string | undefined {
      const start = `${name()}=`
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
      const tokens = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
      const valid = tokens.filter((token) => TOKEN.test(token))
      return valid.length === 1 ? valid[0] : undefined
    },
  }
}
