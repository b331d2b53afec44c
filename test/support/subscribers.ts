import type { Database } from '../../src/platform/database/port.ts'
import { upsertMany } from '../../src/platform/database/upsert.ts'
import { US } from './listings.ts'

const ROWS_AT_ONCE = 1_000

interface Subscribers {
  type: string
  count: number
  createdAt: Date
  /** As `destinations` has it. */
  target: { kind: 'sqs' | 'eventBridge'; target: string; region?: string }
  directive?: object
  /** Distinguishes those of one call from those of another. */
  prefix?: string
}

const numbered = (prefix: string, number: number) => `${prefix}${String(number).padStart(6, '0')}`

/** Writes rows directly, and in order: there are too many of them for the interface and its quotas. */
async function write(database: Database, table: string, key: string[], rows: Parameters<typeof upsertMany>[3]) {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await database.transact((tx) => upsertMany(tx, table, key, rows.slice(start, start + ROWS_AT_ONCE)))
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Sellers that all are followed by one application at one destination. Answers their ids, in order. */
export async function addSubscribedSellers(
  database: Database,
  applicationId: string,
  { type, count, createdAt, target, directive, prefix = 'AMANY' }: Subscribers,
): Promise<string[]> {
  const created_at = createdAt.toISOString()
  const sellerIds = range(count).map((number) => numbered(prefix, number))
  const destination_id = await addDestination(database, applicationId, target, created_at)
  await write(
    database,
    'sellers',
    ['seller_id'],
    sellerIds.map((seller_id) => ({ seller_id, business_type: 'INDIVIDUAL', selling_plan: 'PROFESSIONAL' })),
  )
  await write(
    database,
    'participations',
    ['seller_id', 'marketplace_id'],
    sellerIds.map((seller_id) => ({
      seller_id,
      marketplace_id: US,
      store_name: 'A store',
      is_participating: 1,
      has_suspended_listings: 0,
    })),
  )
  await write(
    database,
    'authorizations',
    ['seller_id', 'application_id'],
    sellerIds.map((seller_id) => ({ seller_id, application_id: applicationId, authorized_at: created_at })),
  )
  await write(
    database,
    'subscriptions',
    ['seller_id', 'application_id', 'notification_type', 'payload_version'],
    sellerIds.map((seller_id) => ({
      seller_id,
      application_id: applicationId,
      notification_type: type,
      payload_version: '1.0',
      subscription_id: `${type} of ${seller_id}`,
      destination_id,
      directive: directive ? JSON.stringify(directive) : null,
      created_at,
    })),
  )
  return sellerIds
}

/** Applications that all follow one seller, each at a destination of its own, of the same target. */
export async function addSubscribers(
  database: Database,
  sellerId: string,
  { type, count, createdAt, target, directive, prefix = 'follower' }: Subscribers,
): Promise<void> {
  const created_at = createdAt.toISOString()
  const applicationIds = range(count).map((number) => numbered(prefix, number))
  await write(
    database,
    'applications',
    ['application_id'],
    applicationIds.map((application_id) => ({
      application_id,
      name: 'A follower',
      client_id: `client of ${application_id}`,
      client_secret_digest: '',
      signing_key_id: `key of ${application_id}`,
    })),
  )
  await write(
    database,
    'authorizations',
    ['seller_id', 'application_id'],
    applicationIds.map((application_id) => ({ seller_id: sellerId, application_id, authorized_at: created_at })),
  )
  await write(
    database,
    'destinations',
    ['application_id', 'destination_id'],
    applicationIds.map((application_id) => destinationOf(application_id, target, created_at)),
  )
  await write(
    database,
    'subscriptions',
    ['seller_id', 'application_id', 'notification_type', 'payload_version'],
    applicationIds.map((application_id) => ({
      seller_id: sellerId,
      application_id,
      notification_type: type,
      payload_version: '1.0',
      subscription_id: `${type} of ${application_id}`,
      destination_id: destinationIdOf(application_id),
      directive: directive ? JSON.stringify(directive) : null,
      created_at,
    })),
  )
}

const destinationIdOf = (applicationId: string) => `destination of ${applicationId}`

const destinationOf = (
  application_id: string,
  { kind, target, region }: Subscribers['target'],
  created_at: string,
) => ({
  application_id,
  destination_id: destinationIdOf(application_id),
  name: 'A destination',
  kind,
  target,
  region: region ?? null,
  created_at,
})

async function addDestination(
  database: Database,
  applicationId: string,
  target: Subscribers['target'],
  createdAt: string,
): Promise<string> {
  const row = destinationOf(applicationId, target, createdAt)
  await database.transact((tx) => upsertMany(tx, 'destinations', ['application_id', 'destination_id'], [row]))
  return row.destination_id
}
