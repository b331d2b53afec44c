import type { Transaction } from '../../../platform/database/port.ts'

/**
 * Keeps others from adding events to lanes and removing them until the end of the transaction. The last event of a lane
 * and one that is queued behind it could otherwise miss each other. Before all other locks but those of leases and
 * events of the outbox.
 */
export const lockLanes = (tx: Transaction, lanes: readonly string[]) => tx.lock('fan-out lane', lanes, 'exclusive')

/** The lanes in which events are to wait. */
export const lanesToQueueIn = (events: readonly { state: string; lane?: string }[]): string[] => [
  ...new Set(events.flatMap(({ state, lane }) => (state === 'QUEUED' && lane !== undefined ? [lane] : []))),
]
