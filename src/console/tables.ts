export interface ConsoleTables {
  console_sessions: {
    token_digest: string
    account_name: string | null
    generation: number | null
    /** Identifies the operator key, if the user signed in with one. */
    key_mark: string | null
    created_at: string
    last_used_at: string
  }
  console_sign_in_failures: {
    subject_digest: string
    failures: number
    locks: number
    /** When the first of these failures was. Null in rows of the previous version. */
    counted_since: string | null
    last_failed_at: string
    locked_until: string | null
  }
}
