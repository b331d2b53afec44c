import { sql } from 'kysely'
import { isLookedUp, lookUpEach, toOrderedList } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isOneOf } from '../../../platform/database/tuples.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import type { Delivery, DeliveryKey, DeliveryState, NewDelivery } from './delivery.ts'

const db = queryBuilder<NotificationTables>()
type Row = NotificationTables['deliveries']

export const DELIVERY_KEY = ['application_id', 'destination_id', 'delivery_id']

/** Inserts a test notification, or one about the application: they have no subscription. */
export async function insertUnsubscribedDelivery(tx: Transaction, delivery: NewDelivery): Promise<void> {
  await upsertMany(tx, 'deliveries', DELIVERY_KEY, [toRow(delivery)])
}

const withdraw = prepare((key: DeliveryKey) =>
  db
    .deleteFrom('deliveries')
    .where('application_id', '=', key.applicationId)
    .where('destination_id', '=', key.destinationId)
    .where('delivery_id', '=', key.deliveryId),
)

export async function deleteUnsentDeliveries(tx: Transaction, keys: readonly DeliveryKey[]): Promise<void> {
  // In the order of `toOrderedList`: another relay may be deleting the same ones.
  if (keys.length > 0) await tx.runEach(withdraw, keys.toSorted(byDeliveryId))
}

const byDeliveryId = (one: DeliveryKey, other: DeliveryKey) => (one.deliveryId < other.deliveryId ? -1 : 1)

const earliest = prepare((params: DestinationKey) =>
  db
    .selectFrom('deliveries')
    .select('due_at')
    .where('state', '=', 'PENDING')
    .where('application_id', '=', params.applicationId)
    .where('destination_id', '=', params.destinationId)
    .orderBy('due_at')
    .limit(1),
)

/** Returns when the next delivery of a destination is due. */
export async function nextDueAt(
  reader: Reader,
  { applicationId, destinationId }: DestinationKey,
): Promise<Date | undefined> {
  const row = await reader.first(earliest, { applicationId, destinationId })
  return row && new Date(row.due_at)
}

/** Of one destination, which may have a long backlog. */
const byId = ({ applicationId, destinationId }: DestinationKey) => ({
  table: 'deliveries',
  within: { application_id: applicationId, destination_id: destinationId },
  by: ['delivery_id'],
})

type SomeDeliveries = DestinationKey & { deliveryIds: string }

/** Selects the payloads of deliveries. */
export const payloadsOf = prepare((params: SomeDeliveries, dialect) =>
  db
    .selectFrom(lookUpEach<Pick<Row, 'delivery_id' | 'payload'>>(params.deliveryIds, dialect, byId(params)))
    .select(['delivery_id', 'payload']),
)

// The operator may be changing one.
const lockSome = prepare((params: SomeDeliveries, dialect) =>
  db
    .selectFrom(lookUpEach<Pick<Row, 'delivery_id'>>(params.deliveryIds, dialect, { ...byId(params), forUpdate: true }))
    .select('delivery_id'),
)

const deleteSome = prepare((params: SomeDeliveries, dialect) =>
  db.deleteFrom('deliveries').where(isLookedUp(params.deliveryIds, dialect, byId(params))),
)

/** Deletes deliveries of one destination. */
export async function deleteSent(tx: Transaction, destination: DestinationKey, sent: readonly DeliveryKey[]) {
  if (sent.length === 0) return
  const { applicationId, destinationId } = destination
  const deliveryIds = toOrderedList(sent.map(({ deliveryId }) => deliveryId))
  const params = { applicationId, destinationId, deliveryIds }
  if (tx.dialect === 'postgres') await tx.runEach(lockSome, [params])
  await tx.run(deleteSome, params)
}

const deleteListed = prepare((params: { keys: string }, dialect) =>
  db.deleteFrom('deliveries').where(isLookedUp(params.keys, dialect, { table: 'deliveries', by: DELIVERY_KEY })),
)

export async function deleteDeliveries(tx: Transaction, keys: readonly DeliveryKey[]): Promise<number> {
  if (keys.length === 0) return 0
  return tx.run(deleteListed, { keys: toOrderedList(keys.map(tupleOf)) })
}

/** Records a failed attempt and whether it will be retried. */
export async function markFailed(
  tx: Transaction,
  keys: readonly DeliveryKey[],
  { state, error }: { state: DeliveryState; error: string },
): Promise<void> {
  if (keys.length === 0) return
  await tx.run(
    db
      .updateTable('deliveries')
      .set((eb) => ({ state, last_error: error, attempts: eb('attempts', '+', 1) }))
      .where(isOneOf(DELIVERY_KEY, keys.map(tupleOf))),
  )
}

export async function findDelivery(reader: Reader, key: DeliveryKey): Promise<Delivery | undefined> {
  return (await findDeliveries(reader, [key]))[0]
}

/** Finds deliveries in no particular order. */
export async function findDeliveries(reader: Reader, keys: readonly DeliveryKey[]): Promise<Delivery[]> {
  if (keys.length === 0) return []
  const query = db
    .selectFrom('deliveries')
    .selectAll()
    .where(isOneOf(DELIVERY_KEY, keys.map(tupleOf)))
  return (await reader.all(query)).map(fromRow)
}

/** Makes a delivery pending again and clears its failures. */
export async function resetDelivery(tx: Transaction, key: DeliveryKey): Promise<void> {
  await tx.run(
    db
      .updateTable('deliveries')
      .set({ state: 'PENDING', attempts: 0, last_error: null })
      .where(isOneOf(DELIVERY_KEY, [tupleOf(key)])),
  )
}

export async function deleteDeliveriesBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('deliveries')
    .select(['application_id', 'destination_id', 'delivery_id'])
    .where('due_at', '<', before.toISOString())
    .orderBy('due_at')
    .limit(limit)
  return tx.run(
    db.deleteFrom('deliveries').where(sql<boolean>`(application_id, destination_id, delivery_id) in ${old}`),
  )
}

export const tupleOf = ({ applicationId, destinationId, deliveryId }: DeliveryKey) => [
  applicationId,
  destinationId,
  deliveryId,
]

export const toRow = (delivery: NewDelivery): Row => ({
  application_id: delivery.applicationId,
  destination_id: delivery.destinationId,
  delivery_id: delivery.deliveryId,
  event_id: delivery.eventId,
  seller_id: delivery.sellerId ?? null,
  subscription_id: delivery.subscriptionId ?? null,
  notification_type: delivery.notificationType,
  payload_version: delivery.payloadVersion,
  state: 'PENDING',
  due_at: delivery.dueAt.toISOString(),
  event_time: delivery.eventTime.toISOString(),
  attempts: 0,
  last_error: null,
  payload: delivery.payload,
})

export const fromRow = (row: Row): Delivery => ({ ...factsFromRow(row), payload: row.payload })

/** All but the payload. */
export const factsFromRow = (row: Omit<Row, 'payload'>): Omit<Delivery, 'payload'> => ({
  applicationId: row.application_id,
  destinationId: row.destination_id,
  deliveryId: row.delivery_id,
  eventId: row.event_id,
  ...(row.seller_id !== null && { sellerId: row.seller_id }),
  ...(row.subscription_id !== null && { subscriptionId: row.subscription_id }),
  notificationType: row.notification_type,
  payloadVersion: row.payload_version,
  state: row.state as DeliveryState,
  dueAt: new Date(row.due_at),
  eventTime: new Date(row.event_time),
  attempts: row.attempts,
  ...(row.last_error !== null && { lastError: row.last_error }),
})
