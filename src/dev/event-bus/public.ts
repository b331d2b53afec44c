// The event bus as `startSouk` has it. Users compile these types, so they refer to no dependency.

/** A notification as EventBridge delivers it. */
export interface BusEvent {
  id: string
  /** The type of the notification. */
  'detail-type': string
  source: string
  account: string
  region: string
  time: string
  /** The notification. */
  detail: Record<string, unknown>
}

/** What was sent to EventBridge destinations, unless the option `messaging` sends it elsewhere. */
export interface EventBus {
  /** Newest first. Default: 100 at most. */
  list(options?: { limit?: number }): Promise<BusEvent[]>
}
