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

  constructor(code: OAuthErrorCode, description: string, options?: ErrorOptions) {
    super(description, options)
    this.name = 'OAuthError'
    this.code = code
  }

  get status(): number {
    return oauthErrorStatus[this.code]
  }
}
