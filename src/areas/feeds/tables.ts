export interface FeedTables {
  feed_documents: {
    seller_id: string
    document_id: string
    application_id: string | null
    content_type: string
    created_at: string
    /** The feed that was made of it. */
    used_by: string | null
  }
  feeds: {
    seller_id: string
    feed_id: string
    application_id: string | null
    feed_type: string
    /** JSON */
    marketplace_ids: string
    /** JSON */
    options: string
    status: string
    created_at: string
    /** 1 once there is a job for it */
    has_turn: number
    started_at: string | null
    ended_at: string | null
    input_document_id: string
    /** Of feeds that an older version of Souk made, it is not known. */
    input_version: string | null
    result_document_id: string | null
    applied: number
    accepted: number
    invalid: number
    errors: number
    warnings: number
  }
  feed_issues: {
    seller_id: string
    feed_id: string
    /** Of the feed's issues, from 0 on. */
    position: number
    message_id: number | null
    sku: string | null
    code: string
    severity: string
    message: string
    attribute: string | null
  }
}
