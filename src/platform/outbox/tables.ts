export interface OutboxTables {
  events: {
    event_id: string
    occurred_at: string
    seller_id: string
    /** What happened, or `*` where several things did at once. */
    event_type: string
    /** JSON: the payload; of several things, a list of their types and payloads. */
    payload: string
  }
}
