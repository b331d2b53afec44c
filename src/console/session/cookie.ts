import type { FastifyRequest } from 'fastify'

const NAME = 'souk_session'
const COOKIE = /^\s*souk_session=([\w.|-]{1,200})\s*$/

/** The token in the cookie of a request. Two cookies count as none: a page of a subdomain may have set one of them. */
export function tokenIn({ headers }: FastifyRequest): string | undefined {
  const tokens = (headers.cookie ?? '').split(';').flatMap((one) => COOKIE.exec(one)?.[1] ?? [])
  return tokens.length === 1 ? tokens[0] : undefined
}

/** Scripts cannot read the cookie, and requests from other sites do not have it. */
export const formatCookie = (token: string, { isSecure }: { isSecure: boolean }): string =>
  `${NAME}=${token}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

export const formatEndedCookie = (options: { isSecure: boolean }): string => `${formatCookie('', options)}; Max-Age=0`
