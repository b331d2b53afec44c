/** The token endpoint speaks OAuth 2.0 (RFC 6749, section 5.2), whose errors have codes and a body of their own. */
export const oauthErrorStatus = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  invalid_client: 401,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export type OAuthErrorCode = keyof typeof oauthErrorStatus

export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  /** The exact cause, where clients expect a fixed description. Sent in the header `x-souk-reason` and logged. */
  readonly reason: string
  readonly status: number

  constructor(
    code: OAuthErrorCode,
    description: string,
    {
      reason = '',
      status = oauthErrorStatus[code],
      ...options
    }: ErrorOptions & { reason?: string; status?: number } = {},
  ) {
    super(description, options)
    this.name = 'OAuthError'
    this.code = code
    this.reason = reason
    this.status = status
  }
}
