export interface FeedTables {
  feed_documents: {
    seller_id: string
    document_id: string
    application_id: string | null
    content_type: string
    created_at: string
    /** Id of the feed that uses the document. */
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
    /** Null for feeds created by earlier versions of Souk. */
    input_version: string | null
    result_document_id: string | null
    applied: number
    accepted: number
    invalid: number
    errors: number
    warnings: number
    /** Of the document. Null until some are applied. */
    messages: number | null
  }
  feed_issues: {
    seller_id: string
    feed_id: string
    /** Index of the issue within the feed, from 0. */
    position: number
    message_id: number | null
    sku: string | null
    code: string
    severity: string
    message: string
    attribute: string | null
  }
}
