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
    /** The notification id. */
    delivery_id: string
    /** With the time, the order of sending. */
    event_id: string
    /** Null for test notifications and those about the application. */
    seller_id: string | null
    /** Null for test notifications and those about the application. */
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
  /** Deliveries that were not sent yet, those of a step to a destination. On PostgreSQL only. */
  delivery_bundles: {
    /** The order of sending. */
    bundle_number: number
    application_id: string
    destination_id: string
    /** Of the first one. */
    due_at: string
    /** How many they are. */
    size: number
    /** JSON */
    deliveries: string
    /** Compressed. Null if no payload has an end. */
    payload_ends: Buffer | null
  }
  /** The latest ones of each seller. */
  sent_notifications: {
    seller_id: string
    event_time: string
    delivery_id: string
    application_id: string
    destination_id: string
    subscription_id: string
    notification_type: string
    payload_version: string
    sent_at: string
    attempts: number
    /** JSON */
    payload: string
  }
  delivery_turns: {
    application_id: string
    destination_id: string
    /** When it can be claimed; for a claimed destination, when its lease expires. */
    due_at: string
    /** The lease of the relay that claimed it. */
    lease: string | null
    /** Consecutive failures. */
    failures: number
    last_error: string | null
  }
  aggregation_windows: {
    application_id: string
    subscription_id: string
    /** Marketplace and ASIN. */
    aggregation_key: string
    ends_at: string
    /** The notification that waits for the end. */
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
    /** Events of one lane are fanned out in order. Null for failed events. */
    lane: string | null
    due_at: string
    /** Consecutive failures. */
    attempts: number
    last_error: string | null
    /** JSON: the start of the next step. Null before the first. */
    progress: string | null
    /** JSON */
    payload: string
  }
  fan_out_leases: {
    name: string
    /** The lease of the relay that holds it. */
    lease: string | null
    ends_at: string
  }
}
