export interface AccountTables {
  marketplaces: {
    marketplace_id: string
    name: string
    country_code: string
    currency_code: string
    language_code: string
    domain_name: string
  }
  sellers: {
    seller_id: string
    business_type: string
    selling_plan: string
    /** JSON */
    business: string | null
    /** JSON */
    primary_contact: string | null
    account_status: string
  }
  participations: {
    seller_id: string
    marketplace_id: string
    store_name: string
    is_participating: number
    has_suspended_listings: number
  }
  applications: {
    application_id: string
    name: string
    client_id: string
    client_secret_digest: string
    client_secret_expires_at: string | null
    signing_key_id: string
    /** JSON */
    delegatees: string
    /** JSON */
    roles: string
    previous_secret_digest: string | null
    previous_secret_ends_at: string | null
    previous_secret_expires_at: string | null
    previous_signing_key_id: string | null
    previous_signing_key_ends_at: string | null
    /** JSON */
    secret_queues: string
    /** JSON */
    redirect_uris: string
  }
  authorizations: {
    seller_id: string
    application_id: string
    authorized_at: string
  }
  refresh_tokens: {
    token_digest: string
    seller_id: string
    application_id: string
  }
  authorization_codes: {
    code_digest: string
    seller_id: string
    application_id: string
    redirect_uri: string | null
    expires_at: string
  }
  console_accounts: {
    name: string
    role: string
    seller_id: string | null
    password_hash: string
    is_disabled: number
    generation: number
    created_at: string
  }
}
