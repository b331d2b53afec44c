import type { Explain } from './explanation.ts'

/** The token endpoint speaks OAuth 2.0 (RFC 6749, section 5.2), whose errors have codes and a body of their own. */
export const oauthErrorStatus = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  invalid_client: 401,
  // RFC 6749 has no code for this. RFC 8628 has this one for clients that ask a token endpoint too often.
  slow_down: 429,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type OAuthErrorCode = keyof typeof oauthErrorStatus

export interface OAuthErrorOptions extends ErrorOptions {
  reason?: string
  status?: number
  retryAfterSeconds?: number
  explain?: Explain
}

export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  /** The exact cause, where clients expect a fixed description. Sent in the header `x-souk-reason` and logged. */
  readonly reason: string
  readonly status: number
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  readonly explain: Explain | undefined

  constructor(
    code: OAuthErrorCode,
    description: string,
    { reason = '', status = oauthErrorStatus[code], retryAfterSeconds, explain, ...options }: OAuthErrorOptions = {},
  ) {
    super(description, options)
    this.name = 'OAuthError'
    this.code = code
    this.reason = reason
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.explain = explain
  }
}
