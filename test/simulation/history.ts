import type { Operation } from './linearizability.ts'
import type { ListingInput } from './listing-model.ts'
import type { SimulatedType } from './steps.ts'

export interface CreatedFeed {
  seller: number
  /** Absent if the response was lost. */
  feedId: string | undefined
  invokedAt: number
  /** When a client first saw that the feed has ended. */
  endedAt: number
  isCanceled: boolean
  messages: number
  /** Those that change something that is known. */
  operations: { key: string; messageId: number; input: ListingInput }[]
}

export interface CreatedReport {
  seller: number
  type: string
  reportId: string
  invokedAt: number
  isCanceled: boolean
}

export interface Subscription {
  seller: number
  type: SimulatedType
  subscriptionId: string
  /** The last event that was committed when the response arrived. All later ones must be delivered. */
  after: number
  /** Whether a client tried to delete it. Then it need not get all events. */
  isDeleted: boolean
}

/** What clients asked for, and the responses. */
export class History {
  readonly operations = new Map<string, Operation<ListingInput>[]>()
  readonly feeds = new Map<number, CreatedFeed>()
  readonly reports = new Map<number, CreatedReport>()
  readonly subscriptions: Subscription[] = []
  /** Turns at which orders were placed for certain, by the id of the order. */
  readonly placed = new Map<string, { seller: number; returnedAt: number }>()
  /** Number of accepted review requests by order. */
  readonly solicitations = new Map<string, number>()
  requests = 0

  add(key: string, operation: Operation<ListingInput>): void {
    const known = this.operations.get(key)
    if (known) known.push(operation)
    else this.operations.set(key, [operation])
  }
}
