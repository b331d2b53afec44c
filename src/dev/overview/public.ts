// The overview as `startSouk` has it. Users compile these types, so they refer to no dependency.

export interface Overview {
  clock: { now: string; offsetSeconds: number; frozen: boolean }
  /** Requests of clients in each of the last 60 minutes of real time, oldest first. */
  activity: {
    /** When the minute began. */
    time: string
    requests: number
    /** With a status of 400 to 499. */
    refused: number
    /** With a status of 500 or more. */
    failed: number
  }[]
  /** Background jobs, counted up to 10,000. */
  jobs: { waiting: number; running: number; givenUp: number }
  /** Notifications that were not sent, counted up to 10,000. */
  deliveries: { pending: number; dead: number }
  /** Messages in all local queues, counted up to 10,000. */
  queue: { messages: number }
  /**
   * Orders of all sellers on the last 30 days of the marketplace, oldest first. Fewer days if there are more than
   * 10,000 orders.
   */
  sales: { date: string; orders: number; revenue: { amount: number; currencyCode: string }[] }[]
  /** Counted up to 100,000. */
  totals: { orders: number; listings: number }
}
