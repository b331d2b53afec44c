export interface AuditTables {
  audit_log: {
    occurred_at: string
    audit_id: string
    /** The mark of an operator key, or an account of the console. */
    actor: string
    operation: string
    /** The path of the request. */
    target: string
    status: number
    request_id: string
  }
}
