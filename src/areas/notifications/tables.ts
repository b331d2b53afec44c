export interface NotificationTables {
  destinations: {
    application_id: string
    destination_id: string
    name: string
    /** sqs or eventBridge */
    kind: string
    /** The arn of the queue, or the AWS account of the event bus. */
    target: string
    region: string | null
    created_at: string
  }
  subscriptions: {
    seller_id: string
    application_id: string
    notification_type: string
    payload_version: string
    subscription_id: string
    destination_id: string
    /** JSON */
    directive: string | null
    created_at: string
  }
  deliveries: {
    application_id: string
    destination_id: string
    /** The notification's id for whoever receives it. */
    delivery_id: string
    /** What it tells of: with the time, the order of sending. */
    event_id: string
    /** None of a test. */
    seller_id: string | null
    /** None of a test. */
    subscription_id: string | null
    notification_type: string
    payload_version: string
    state: string
    due_at: string
    event_time: string
    attempts: number
    last_error: string | null
    /** JSON */
    payload: string
  }
  delivery_turns: {
    application_id: string
    destination_id: string
    /** When it may be taken. Of one in hand: when its lease ends. */
    due_at: string
    /** The secret of whoever has it in hand. */
    lease: string | null
    /** How often in a row sending has failed. */
    failures: number
    last_error: string | null
  }
  aggregation_windows: {
    application_id: string
    subscription_id: string
    /** What is aggregated: the marketplace and the ASIN. */
    aggregation_key: string
    ends_at: string
    /** The notification that waits for the end, if any. */
    held_delivery_id: string | null
  }
  /** Events that are fanned out in several steps, or have failed. */
  fan_outs: {
    event_id: string
    seller_id: string
    event_type: string
    occurred_at: string
    /** PENDING, QUEUED or DEAD */
    state: string
    /** Events of one lane are fanned out one after another. None of an event that has failed. */
    lane: string | null
    due_at: string
    /** How often in a row it has failed. */
    attempts: number
    last_error: string | null
    /** JSON: where the next step begins. None before the first. */
    progress: string | null
    /** JSON */
    payload: string
  }
  fan_out_leases: {
    name: string
    /** The secret of the relay that holds it, if one does. */
    lease: string | null
    ends_at: string
  }
}
