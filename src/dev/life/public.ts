// The living market as `startSouk` has it. Users compile these types, so they refer to no dependency.

/** How a competitor sets its prices. */
export type CompetitorStrategy = 'undercut' | 'match' | 'premium' | 'weekdays' | 'flapping'

export interface LifeSettings {
  /** The same seed gives the same trade. Default: 1. */
  seed?: number
  /** On average. Default: 50. */
  ordersPerDay?: number
  /** The strategies of competitors, or how many there are. Default: one of each strategy. */
  competitors?: number | CompetitorStrategy[]
  /** How many buyers cancel their order, from 0 to 1. Default: 0.03. */
  cancelRate?: number
  /** How many buyers return a delivered order. Default: 0.06. */
  returnRate?: number
  /** How many buyers rate a delivered order. Default: 0.2. */
  feedbackRate?: number
  /** How long carriers take. Default: 1 to 5 days. */
  deliveryDays?: { min: number; max: number }
  /** Whether orders are shipped that their seller does not ship. Default: true. */
  shipsForSellers?: boolean
  /** Whether sold out listings get new stock. Default: true. */
  restocks?: boolean
}

export interface LifeCounts {
  orders: number
  cancellations: number
  shipments: number
  deliveries: number
  returns: number
  feedback: number
  restocks: number
  /** Changes of competitors' offers. */
  offerChanges: number
}

export interface LifeReport {
  isRunning: boolean
  startedAt?: string
  /** The time up to which everything has happened. */
  until?: string
  options?: LifeSettings
  counts: LifeCounts
}

export interface Life {
  /** Starts a living market: advance the clock, and await `idle()`. */
  start(settings?: LifeSettings): Promise<LifeReport>
  stop(): Promise<LifeReport>
  status(): Promise<LifeReport>
}
