import type { Database, Reader } from '../../../platform/database/port.ts'
import { type Query, queryBuilder } from '../../../platform/database/query.ts'
import { isAtOrBefore, isOneOf, MAX_TUPLES } from '../../../platform/database/tuples.ts'
import { inSteps } from '../../../platform/sweeps.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import type { DeliveryState } from './delivery.ts'
import { DELIVERY_KEY } from './delivery-store.ts'

const db = queryBuilder<NotificationTables>()
const ORDER = ['due_at', 'event_id', 'delivery_id'] as const
type Position = Pick<NotificationTables['deliveries'], (typeof ORDER)[number]>

const READ_COMMITTED = { isolation: 'read committed' } as const

/**
 * Gives up the oldest pending deliveries above the limit of a destination that fails with an error, and deletes the oldest
 * given-up ones above it, in steps: a destination may fail for weeks. Without an error the destination accepts or rejects
 * messages, so the pending ones will be sent.
 */
export async function limitDeliveries(
  database: Database,
  destination: DestinationKey,
  { most, error, signal }: { most: number; error: string | undefined; signal: AbortSignal },
): Promise<void> {
  // The state once more: on PostgreSQL, the operator may have retried a delivery since it was found.
  if (error !== undefined) {
    const givenUp = { state: 'DEAD', last_error: `More than ${most} were waiting: ${error}` } as const
    await changeAbove('PENDING', (keys) =>
      db.updateTable('deliveries').set(givenUp).where('state', '=', 'PENDING').where(isOneOf(DELIVERY_KEY, keys)),
    )
  }
  await changeAbove('DEAD', (keys) =>
    db.deleteFrom('deliveries').where('state', '=', 'DEAD').where(isOneOf(DELIVERY_KEY, keys)),
  )

  async function changeAbove(state: DeliveryState, change: (keys: string[][]) => Query<unknown>) {
    const last = await database.read((reader) => findLastAbove(reader, destination, state, most))
    if (!last) return
    await inSteps({ database, signal, maxRows: MAX_TUPLES, ...READ_COMMITTED }, async (tx, limit) => {
      const keys = await findUpTo(tx, destination, state, last, limit)
      if (keys.length > 0) await tx.run(change(keys))
      return keys.length
    })
  }
}

const deliveriesIn = ({ applicationId, destinationId }: DestinationKey, state: DeliveryState) =>
  db
    .selectFrom('deliveries')
    .where('state', '=', state)
    .where('application_id', '=', applicationId)
    .where('destination_id', '=', destinationId)

/** Finds the newest delivery that is one too many. */
function findLastAbove(
  reader: Reader,
  destination: DestinationKey,
  state: DeliveryState,
  most: number,
): Promise<Position | undefined> {
  const query = deliveriesIn(destination, state)
    .select([...ORDER])
    .orderBy('due_at', 'desc')
    .orderBy('event_id', 'desc')
    .orderBy('delivery_id', 'desc')
    .offset(most)
    .limit(1)
  return reader.first(query)
}

async function findUpTo(
  reader: Reader,
  destination: DestinationKey,
  state: DeliveryState,
  last: Position,
  limit: number,
): Promise<string[][]> {
  const upToLast = isAtOrBefore(
    ORDER,
    ORDER.map((column) => last[column]),
  )
  const query = deliveriesIn(destination, state)
    .select(['application_id', 'destination_id', 'delivery_id'])
    .where(upToLast)
    .orderBy('due_at')
    .orderBy('event_id')
    .orderBy('delivery_id')
    .limit(limit)
  return (await reader.all(query)).map((row) => [row.application_id, row.destination_id, row.delivery_id])
}
