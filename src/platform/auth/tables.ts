export interface AccessTokenTables {
  access_tokens: {
    token_digest: string
    /** The application that the seller authorised, and with whose authorisation the token ends. */
    application_id: string
    /** The application that uses the token, if that is another one. */
    delegatee_id: string | null
    /** Null for a grantless token. */
    seller_id: string | null
    scopes: string
    /** JSON; null unless it is a restricted data token. */
    restricted_to: string | null
    expires_at: string
  }
}
