import { createCatalogWriter } from '../../src/marketplace/catalog/store.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { upsertMany } from '../../src/platform/database/upsert.ts'
import { EVERY_SELLER, type NewEvent } from '../../src/platform/outbox/outbox.ts'
import { buildCatalogItem } from './catalog.ts'

// The bench uses this file too, so it imports nothing that needs a test runner.
const US = 'ATVPDKIKX0DER'

interface Subscribers {
  type: string
  count: number
  createdAt: Date
  /** The columns of `destinations`. */
  target: { kind: 'sqs' | 'eventBridge'; target: string; region?: string }
  directive?: object
  /** Distinguishes the rows of different calls. */
  prefix?: string
}

/** SQL expressions over `n`, the number of the row, by column. */
type Columns = Record<string, string>

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const textOrNull = (value: string | undefined) => (value === undefined ? 'null' : text(value))
const concatenated = (prefix: string, id: string) => `${text(prefix)} || ${id}`

const numbered = (prefix: string, number: number) => `${prefix}${String(number).padStart(6, '0')}`
const numberedRow = (prefix: string) => `${text(prefix)} || substr(cast(1000000 + n as text), 2)`

/**
 * Creates the rows inside the database, in SQL that both databases support: there are too many of them for the API and
 * its quotas, and sending 100,000 to PostgreSQL takes half a minute. Existing rows do not change.
 */
const insertRows = (database: Database, table: string, count: number, columns: Columns) =>
  database.transactSchema((tx) =>
    tx.execute(`
      insert into ${table} (${Object.keys(columns).join(', ')})
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
      select ${Object.values(columns).join(', ')} from numbers where true
      on conflict do nothing`),
  )

/** Creates a marketplace and applications, which subscribed sellers need. */
export async function addApplications(database: Database, applicationIds: readonly string[]): Promise<void> {
  const place = { marketplace_id: US, name: 'Amazon.com', country_code: 'US', domain_name: 'www.amazon.com' }
  const applications = applicationIds.map((id) => ({
    application_id: id,
    name: id,
    client_id: id,
    client_secret_digest: '',
    signing_key_id: id,
  }))
  await database.transact(async (tx) => {
    await upsertMany(
      tx,
      'marketplaces',
      ['marketplace_id'],
      [{ ...place, currency_code: 'USD', language_code: 'en_US' }],
    )
    await upsertMany(tx, 'applications', ['application_id'], applications)
  })
}

/** Creates sellers with subscriptions of one application at one destination, and returns their ids in order. */
export async function addSubscribedSellers(
  database: Database,
  applicationId: string,
  { type, count, createdAt, target, directive, prefix = 'AMANY' }: Subscribers,
): Promise<string[]> {
  const created_at = text(createdAt.toISOString())
  const application_id = text(applicationId)
  const seller_id = numberedRow(prefix)
  await insertRows(database, 'destinations', 1, destinationOf(application_id, target, created_at))
  await insertRows(database, 'sellers', count, {
    seller_id,
    business_type: text('INDIVIDUAL'),
    selling_plan: text('PROFESSIONAL'),
  })
  await insertRows(database, 'participations', count, {
    seller_id,
    marketplace_id: text(US),
    store_name: text('A store'),
    is_participating: '1',
    has_suspended_listings: '0',
  })
  await insertRows(database, 'authorizations', count, { seller_id, application_id, authorized_at: created_at })
  await insertRows(database, 'subscriptions', count, {
    seller_id,
    application_id,
    notification_type: text(type),
    payload_version: text('1.0'),
    subscription_id: concatenated(`${type} of `, seller_id),
    destination_id: destinationIdOf(application_id),
    directive: textOrNull(directive && JSON.stringify(directive)),
    created_at,
  })
  return Array.from({ length: count }, (_, number) => numbered(prefix, number))
}

/** Creates applications that subscribe to one seller, each with its own destination of the same target. */
export async function addSubscribers(
  database: Database,
  sellerId: string,
  { type, count, createdAt, target, directive, prefix = 'follower' }: Subscribers,
): Promise<void> {
  const created_at = text(createdAt.toISOString())
  const application_id = numberedRow(prefix)
  const seller_id = text(sellerId)
  await insertRows(database, 'applications', count, {
    application_id,
    name: text('A follower'),
    client_id: concatenated('client of ', application_id),
    client_secret_digest: text(''),
    signing_key_id: concatenated('key of ', application_id),
  })
  await insertRows(database, 'authorizations', count, { seller_id, application_id, authorized_at: created_at })
  await insertRows(database, 'destinations', count, destinationOf(application_id, target, created_at))
  await insertRows(database, 'subscriptions', count, {
    seller_id,
    application_id,
    notification_type: text(type),
    payload_version: text('1.0'),
    subscription_id: concatenated(`${type} of `, application_id),
    destination_id: destinationIdOf(application_id),
    directive: textOrNull(directive && JSON.stringify(directive)),
    created_at,
  })
}

/** Creates notifications that wait for a destination. Test notifications have neither seller nor subscription. */
export const addPendingDeliveries = (
  database: Database,
  { subscription, count, now }: { subscription: DeliveryColumns; count: number; now: Date },
): Promise<void> =>
  insertRows(database, 'deliveries', count, {
    application_id: text(subscription.application_id),
    destination_id: text(subscription.destination_id),
    delivery_id: numberedRow('d'),
    event_id: numberedRow('e'),
    seller_id: textOrNull(subscription.seller_id),
    subscription_id: textOrNull(subscription.subscription_id),
    notification_type: text(subscription.notification_type),
    payload_version: text('1.0'),
    state: text('PENDING'),
    due_at: text(now.toISOString()),
    event_time: text(now.toISOString()),
    attempts: '0',
    payload: text(JSON.stringify({ text: 'x'.repeat(1_500) })),
  })

/** The columns of `subscriptions` that its deliveries have too. */
export interface SubscriptionKeys {
  application_id: string
  destination_id: string
  seller_id: string
  subscription_id: string
  notification_type: string
}

type DeliveryColumns = Pick<SubscriptionKeys, 'application_id' | 'destination_id' | 'notification_type'> &
  Partial<SubscriptionKeys>

const destinationIdOf = (applicationId: string) => concatenated('destination of ', applicationId)

const destinationOf = (
  application_id: string,
  { kind, target, region }: Subscribers['target'],
  created_at: string,
): Columns => ({
  application_id,
  destination_id: destinationIdOf(application_id),
  name: text('A destination'),
  kind: text(kind),
  target: text(target),
  region: textOrNull(region),
  created_at,
})

/** An event for all sellers. */
export const productTypesChange = (version: string): NewEvent => ({
  sellerId: EVERY_SELLER,
  type: 'PRODUCT_TYPES_CHANGE',
  occurredAt: new Date(),
  payload: { version, newProductTypes: [] },
})

export const AGGREGATION = {
  eventFilter: {
    eventFilterType: 'ANY_OFFER_CHANGED',
    aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
  },
}

/** Creates products offered by all sellers with this prefix, and returns an offer change event for each. */
export async function addSharedProducts(
  database: Database,
  { products, sellers, prefix = 'AMANY' }: { products: number; sellers: number; prefix?: string },
): Promise<NewEvent[]> {
  const asins = Array.from({ length: products }, (_, number) => numbered('B0SC', number))
  const now = new Date()
  const items = asins.map((asin) => buildCatalogItem(asin))
  await database.transact((tx) => createCatalogWriter(async () => {}).upsert(tx, items, now))
  for (let seller = 0; seller < sellers; seller++) {
    await insertRows(database, 'offers', products, {
      marketplace_id: text(US),
      asin: numberedRow('B0SC'),
      seller_id: text(numbered(prefix, seller)),
      sku: text('-'),
      condition_type: text('new_new'),
      fulfillment_type: text('MFN'),
      price_minor: String(2_000 + seller),
      shipping_minor: '0',
      currency_code: text('USD'),
      quantity: '1',
      terms: text('{}'),
      from_listing: '0',
      updated_at: text(now.toISOString()),
    })
  }
  return asins.map((asin) => ({
    sellerId: numbered(prefix, 0),
    type: 'OFFER_CHANGE',
    occurredAt: now,
    payload: { marketplaceId: US, asin, conditionType: 'new_new' },
  }))
}
