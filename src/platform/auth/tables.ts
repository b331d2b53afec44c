export interface AccessTokenTables {
  access_tokens: {
    token_digest: string
    /** The application that the seller authorized, whose authorization the token ends with. */
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
