import { sql } from 'kysely'
import { lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import type { DestinationKey } from '../destinations/destination-store.ts'
import type { NotificationTables } from '../tables.ts'
import { type Bundle, bundleDeliveries, readBundle } from './bundle.ts'
import type { PlannedDelivery } from './delivery.ts'
import type { DueDelivery } from './due-deliveries.ts'
import type { BundleKey, RecentPayloads, WrittenBundle } from './recent-payloads.ts'
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
    )
    .returning('bundle_number'),
)

/** Returns what was written, without the bundles of deleted destinations. */
export async function insertBundles(tx: Transaction, deliveries: readonly PlannedDelivery[]): Promise<WrittenBundle[]> {
  // Sent together, and written in this order.
  const written = bundleDeliveries(deliveries).map(async ({ row, deliveries }) => {
    const inserted = await tx.first(insert, row)
    return inserted ? [{ key: { ...row, bundle_number: inserted.bundle_number }, deliveries }] : []
  })
  return (await Promise.all(written)).flat()
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
    .select(['application_id', 'destination_id', 'bundle_number', 'due_at', 'size'])
    .where('application_id', '=', applicationId)
    .where('destination_id', '=', destinationId)
    .orderBy('bundle_number')
    .limit(MAX_BUNDLES_PER_PAGE)
  const sizeBefore = sql<number>`sum(size) over (order by bundle_number) - size`.as('size_before')
  const counted = db.selectFrom(some.as('some')).selectAll().select(sizeBefore)
  return db
    .selectFrom(counted.as('counted'))
    .select(['application_id', 'destination_id', 'bundle_number', 'due_at', 'size'])
    .where('size_before', '<', limit)
    .orderBy('bundle_number')
})

interface SomeBundles extends DestinationKey {
  numbers: string
}

/** Not `in (select …)`, for which PostgreSQL may read all bundles of the destination. */
const isOneOfBundles = (numbers: string) =>
  sql<boolean>`bundle_number = any (array(select json_array_elements_text(${numbers}::json)::bigint))`

// The destination, too: after a failover that lost a bundle, another one can have its number.
const contentsOf = prepare(({ applicationId, destinationId, numbers }: SomeBundles) =>
  db
    .selectFrom('delivery_bundles')
    .select(['bundle_number', 'deliveries', 'payload_ends'])
    .where('application_id', '=', applicationId)
    .where('destination_id', '=', destinationId)
    .where(isOneOfBundles(numbers)),
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

/** Finds the oldest bundles of a destination, with this many deliveries or a few more. */
export const findBundles = (
  reader: Reader,
  { applicationId, destinationId }: DestinationKey,
  limit: number,
): Promise<BundleKey[]> => reader.all(oldest, { applicationId, destinationId, limit })

/**
 * Returns the deliveries of bundles in the order of sending, but not those of deleted subscriptions. Takes bundles from
 * `recent`, and reads the others.
 */
export async function readBundles(
  reader: Reader,
  destination: DestinationKey,
  bundles: readonly BundleKey[],
  recent: RecentPayloads,
): Promise<DueDelivery[]> {
  const known = new Map(bundles.map((bundle) => [bundle.bundle_number, recent.takeBundle(bundle)]))
  const unknown = bundles.map(({ bundle_number }) => bundle_number).filter((number) => !known.get(number))
  const read = await readContents(reader, destination, unknown, recent.ends)
  // None of those that were deleted in between, with their destination or by a relay that has taken over.
  const bundled = bundles.flatMap(({ bundle_number: number }) => known.get(number) ?? read.get(number) ?? [])
  const subscribed = await findSubscribed(reader, destination.applicationId, bundled)
  return bundled
    .filter(({ subscriptionId }) => subscribed.has(subscriptionId as string))
    .map((delivery) => ({ ...delivery, state: 'PENDING', attempts: 0 }))
}

async function findSubscribed(reader: Reader, applicationId: string, deliveries: readonly PlannedDelivery[]) {
  if (deliveries.length === 0) return new Set<string>()
  const sellers = new Map(deliveries.map(({ subscriptionId, sellerId }) => [subscriptionId, sellerId]))
  const rows = await reader.all(subscriptionsOf, { applicationId, subscriptions: JSON.stringify([...sellers]) })
  return new Set(rows.map(({ subscription_id }) => subscription_id))
}

async function readContents(
  reader: Reader,
  destination: DestinationKey,
  numbers: readonly number[],
  shared: SharedEnds,
): Promise<Map<number, PlannedDelivery[]>> {
  if (numbers.length === 0) return new Map()
  const { applicationId, destinationId } = destination
  const rows = await reader.all(contentsOf, { applicationId, destinationId, numbers: JSON.stringify(numbers) })
  return new Map(
    rows.map(({ bundle_number, deliveries, payload_ends }) => {
      const ends = payload_ends ? shared.ofBundle(payload_ends) : []
      return [bundle_number, readBundle(destination, deliveries, ends)]
    }),
  )
}

const remove = prepare(({ applicationId, destinationId, numbers }: SomeBundles) =>
  db
    .deleteFrom('delivery_bundles')
    .where('application_id', '=', applicationId)
    .where('destination_id', '=', destinationId)
    .where(isOneOfBundles(numbers)),
)

export async function deleteBundles(
  tx: Transaction,
  { applicationId, destinationId }: DestinationKey,
  bundles: readonly number[],
): Promise<void> {
  if (bundles.length > 0) await tx.run(remove, { applicationId, destinationId, numbers: JSON.stringify(bundles) })
}
