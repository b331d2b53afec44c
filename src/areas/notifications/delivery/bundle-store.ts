import { sql } from 'kysely'
import { lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { SharedText } from '../../../platform/shared-text.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import { type Bundle, type BundledDelivery, bundleDeliveries, readBundle } from './bundle.ts'
import type { PlannedDelivery } from './delivery.ts'
import type { DueDelivery } from './due-deliveries.ts'
import type { RecentPayloads } from './recent-payloads.ts'
import type { SharedEnds } from './shared-ends.ts'

const db = queryBuilder<NotificationTables>()
const MAX_BUNDLES_PER_PAGE = 50

const insert = prepare((bundle: Bundle) =>
  db
    .insertInto('delivery_bundles')
    .columns(['application_id', 'destination_id', 'due_at', 'size', 'deliveries', 'payload_ends'])
    .expression(
      // Inserts nothing for a deleted destination.
      db
        .selectFrom('destinations')
        .select(['application_id', 'destination_id'])
        .select([
          sql<string>`${bundle.due_at}`.as('due_at'),
          sql<number>`${bundle.size}::bigint`.as('size'),
          sql<string>`${bundle.deliveries}`.as('deliveries'),
          sql<Buffer | null>`${bundle.payload_ends}::bytea`.as('payload_ends'),
        ])
        .where('application_id', '=', bundle.application_id)
        .where('destination_id', '=', bundle.destination_id),
    ),
)

export async function insertBundles(tx: Transaction, deliveries: readonly PlannedDelivery[]): Promise<void> {
  if (deliveries.length > 0) await tx.runEach(insert, bundleDeliveries(deliveries))
}

const first = prepare(({ applicationId, destinationId }: DestinationKey) =>
  db
    .selectFrom('delivery_bundles')
    .select('bundle_number')
    .where('application_id', '=', applicationId)
    .where('destination_id', '=', destinationId)
    .limit(1),
)

export async function hasBundles(reader: Reader, { applicationId, destinationId }: DestinationKey): Promise<boolean> {
  return (await reader.first(first, { applicationId, destinationId })) !== undefined
}

const oldest = prepare(({ applicationId, destinationId, limit }: DestinationKey & { limit: number }) => {
  const some = db
    .selectFrom('delivery_bundles')
    .select(['bundle_number', 'size', 'deliveries'])
    .where('application_id', '=', applicationId)
    .where('destination_id', '=', destinationId)
    .orderBy('bundle_number')
    .limit(MAX_BUNDLES_PER_PAGE)
  const sizeBefore = sql<number>`sum(size) over (order by bundle_number) - size`.as('size_before')
  const counted = db.selectFrom(some.as('some')).select(['bundle_number', 'deliveries', sizeBefore])
  return db
    .selectFrom(counted.as('counted'))
    .select(['bundle_number', 'deliveries'])
    .where('size_before', '<', limit)
    .orderBy('bundle_number')
})

const isOneOfBundles = (numbers: string) =>
  sql<boolean>`bundle_number in (select json_array_elements_text(${numbers}::json)::bigint)`

const payloadEndsOf = prepare(({ numbers }: { numbers: string }) =>
  db.selectFrom('delivery_bundles').select(['bundle_number', 'payload_ends']).where(isOneOfBundles(numbers)),
)

const subscriptionsOf = prepare(
  ({ applicationId, subscriptions }: { applicationId: string; subscriptions: string }, dialect) =>
    db
      .selectFrom(
        lookUpEach<Pick<NotificationTables['subscriptions'], 'subscription_id'>>(subscriptions, dialect, {
          table: 'subscriptions',
          within: { application_id: applicationId },
          by: ['subscription_id', 'seller_id'],
          columns: sql`subscription_id`,
        }),
      )
      .select('subscription_id'),
)

type BundleRow = Pick<NotificationTables['delivery_bundles'], 'bundle_number' | 'deliveries'>

/** Finds the oldest bundles of a destination, with this many deliveries or a few more. */
export const findBundles = (
  reader: Reader,
  { applicationId, destinationId }: DestinationKey,
  limit: number,
): Promise<BundleRow[]> => reader.all(oldest, { applicationId, destinationId, limit })

/**
 * Returns the deliveries of bundles in the order of sending, but not those of deleted subscriptions. Takes payloads from `recent`,
 * and reads the others.
 */
export async function readBundles(
  reader: Reader,
  { applicationId, destinationId }: DestinationKey,
  bundles: readonly BundleRow[],
  recent: RecentPayloads,
): Promise<DueDelivery[]> {
  const bundled = bundles.flatMap(({ bundle_number, deliveries }) =>
    readBundle({ applicationId, destinationId }, deliveries).map((delivery) => ({
      delivery,
      bundle: bundle_number,
      recent: recent.take(delivery),
    })),
  )
  const subscribed = await findSubscribed(
    reader,
    applicationId,
    bundled.map(({ delivery }) => delivery),
  )
  const unknown = bundled.filter(({ delivery, recent }) => !recent && delivery.payloadEnd !== null)
  const ends = await findPayloadEnds(reader, new Set(unknown.map(({ bundle }) => bundle)), recent.ends)
  return bundled.flatMap(({ delivery: { payloadStart: start, payloadEnd, ...delivery }, bundle, recent }) => {
    const end = payloadEnd === null ? undefined : ends.get(bundle)?.[payloadEnd]
    const payload = recent ?? (end || payloadEnd === null ? { start, end } : undefined)
    // Otherwise the bundle was deleted in between, with its destination or by a relay that has taken over.
    if (!payload || !subscribed.has(delivery.subscriptionId as string)) return []
    return [{ ...delivery, state: 'PENDING', attempts: 0, payload }]
  })
}

async function findSubscribed(reader: Reader, applicationId: string, deliveries: readonly BundledDelivery[]) {
  if (deliveries.length === 0) return new Set<string>()
  const sellers = new Map(deliveries.map(({ subscriptionId, sellerId }) => [subscriptionId, sellerId]))
  const rows = await reader.all(subscriptionsOf, { applicationId, subscriptions: JSON.stringify([...sellers]) })
  return new Set(rows.map(({ subscription_id }) => subscription_id))
}

async function findPayloadEnds(reader: Reader, bundles: ReadonlySet<number>, shared: SharedEnds) {
  const ends = new Map<number, readonly SharedText[]>()
  if (bundles.size === 0) return ends
  const rows = await reader.all(payloadEndsOf, { numbers: JSON.stringify([...bundles]) })
  for (const { bundle_number, payload_ends } of rows) {
    if (payload_ends) ends.set(bundle_number, shared.ofBundle(payload_ends))
  }
  return ends
}

const remove = prepare(({ numbers }: { numbers: string }) =>
  db.deleteFrom('delivery_bundles').where(isOneOfBundles(numbers)),
)

export async function deleteBundles(tx: Transaction, bundles: readonly number[]): Promise<void> {
  if (bundles.length > 0) await tx.run(remove, { numbers: JSON.stringify(bundles) })
}
