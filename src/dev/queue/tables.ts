/** Times are in milliseconds. */
export interface QueueTables {
  queues: {
    queue_name: string
    region: string
    account: string
    attributes: string
    tags: string
    retention_milliseconds: number
    created_at: number
    modified_at: number
  }
  queue_messages: {
    message_id: string
    queue_name: string
    /** When it can be received: after its delay, or after the visibility timeout of the last receive. */
    visible_at: number
    sent_at: number
    receipt: string | null
    receive_count: number
    first_received_at: number | null
    dead_letter_source: string | null
    attributes: string | null
    body: string
  }
}
