import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { PostgresClient } from '../../src/platform/database/postgres-client.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { FeedsClient, partialUpdate, update } from '../support/feeds.ts'
import { IN_US, listingsClient, newShoe, priceOf, setPrice, setQuantity } from '../support/listings.ts'
import { marketClient } from '../support/market.ts'
import { notificationsClient, SUBSCRIPTIONS } from '../support/notifications.ts'
import { item, OrdersClient, SKU, V0, V2026 } from '../support/order-client.ts'
import { acknowledgement, OrderFeedsClient } from '../support/order-feeds.ts'
import { REPORTS, ReportsClient, SCHEDULES } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { scopesOf, unboundTables } from './statement-scopes.ts'

// Tables are distributed by the seller, or by the product whose sellers compete. A statement that names neither has to
// ask every database or shard.

/** Tables with a seller that are not distributed by seller, with the reason. */
const NOT_BY_SELLER: Record<string, string> = {
  access_tokens: 'The digest of a token is all that a request has.',
  refresh_tokens: 'The same.',
  authorization_codes: 'The same.',
  console_accounts: 'The same of the name with which somebody signs in.',
  events: 'Queue: workers claim events by shard and in the order of their ids.',
  fan_outs: 'Queue: events that take several steps.',
  deliveries: 'Queue of a destination, which receives the notifications of many sellers.',
  offers: 'Of a product.',
  pricing_health_notices: 'Of a product.',
  life_plans: 'Of the stand-in, which has one database.',
}
const BY_PRODUCT = new Set([
  'offers',
  'price_histories',
  'market_summaries',
  'market_notices',
  'pricing_health_notices',
])

/** Statements that concern all sellers. */
const ABOUT_ALL = [
  // Sweeps look for expired rows a few times a day. They then delete them by their keys.
  / from \w+ where (?:used_by is null and )?(?:hour|\w+_at|\w+_time) < \$1 order by [\w, ]+ limit \$2(?: offset \$3)?$/,
  // The stand-in looks whether it has only one seller, whom acts without a seller are about.
  /^select \* from sellers order by seller_id limit \$1$/,
  // A worker asks now and then whether there are any subscriptions.
  /^select created_at from subscriptions order by created_at limit \$1$/,
  /^select subscription_id from subscriptions where notification_type in \(\$1, \$2\) limit \$3$/,
]

let souk: TestSouk
let databaseUrl: string
const statements = new Set<string>()
/** The tables that each transaction wrote. */
const transactions: Set<string>[] = []

beforeAll(async () => {
  databaseUrl = await createPostgresDatabase('schema')
  souk = await startTestSouk({ database: databaseUrl })
  const send = vi.spyOn(PostgresClient.prototype, 'send')
  await sell()
  await trade()
  await notify()
  await report()
  for (const [index, [{ text = '' }]] of send.mock.calls.entries()) note(send.mock.contexts[index], text)
  send.mockRestore()
})

const WRITE = /^(?:insert into|update|delete from) "(\w+)"/
const open = new Map<unknown, Set<string>>()

/** Notes a statement that a connection was sent. */
function note(connection: unknown, text: string): void {
  statements.add(text)
  if (text.startsWith('begin')) open.set(connection, new Set())
  else if (text === 'commit') transactions.push(open.get(connection) ?? new Set())
  const [, table] = WRITE.exec(text) ?? []
  if (table !== undefined) open.get(connection)?.add(table)
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}

const withSeller = async () =>
  (
    await query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = current_schema() and column_name = 'seller_id'`,
    )
  ).map(({ name }) => name)

const withKey = async (column: string) =>
  (
    await query<{ name: string }>(
      `select table_name as name from information_schema.key_column_usage join information_schema.table_constraints
         using (table_schema, table_name, constraint_name)
       where table_schema = current_schema() and constraint_type = 'PRIMARY KEY' and column_name = '${column}'`,
    )
  ).map(({ name }) => name)

/** The parts of statements that read or write such tables without naming the column. */
const findWithout = (column: string, tables: ReadonlySet<string>) =>
  [...statements]
    .flatMap(scopesOf)
    .filter((scope) => unboundTables(scope, column, tables).length > 0)
    .map(({ text }) => text)

test('the primary key of every table of sellers has the seller, and of products the ASIN', async () => {
  const keyed = new Set(await withKey('seller_id'))
  const others = (await withSeller()).filter((table) => !keyed.has(table))
  expect(others.filter((table) => !(table in NOT_BY_SELLER))).toEqual([])
  expect(await withKey('asin')).toEqual(expect.arrayContaining([...BY_PRODUCT]))
})

test('every statement of frequent operations names the seller whose rows it reads or writes', async () => {
  const tables = new Set((await withSeller()).filter((table) => !(table in NOT_BY_SELLER)))
  expect(tables.size).toBeGreaterThan(15)
  expect(statements.size).toBeGreaterThan(100)
  const without = findWithout('seller_id', tables)
  expect(without.filter((text) => !ABOUT_ALL.some((known) => known.test(text)))).toEqual([])
})

test('every statement of frequent operations names the product whose offers it reads or writes', () => {
  expect(findWithout('asin', BY_PRODUCT)).toEqual([])
})

test('a transaction that writes rows of a seller writes of products its own offer only, and invalidates the summary', async () => {
  const ofSellers = (await withSeller()).filter((table) => !(table in NOT_BY_SELLER))
  const both = transactions.filter((written) => ofSellers.some((table) => written.has(table)))
  expect(both.length).toBeGreaterThan(20)
  const written = both.flatMap((tables) => [...tables].filter((table) => BY_PRODUCT.has(table)))
  expect([...new Set(written)].sort()).toEqual(['market_summaries', 'offers'])
})

test.each([
  'select * from a where a_id = $1',
  'select * from a where a_id in ($1, $2)',
  'select * from a where (a_id, seller_id) > ($1, $2)',
  'select * from a inner join b on b.a_id = a.a_id where a.seller_id = $1',
  'select (select 1 from b where b.seller_id = $1) from a',
  'select * from b where seller_id = $1 union all select * from a where x = $2',
  'update a set x = $1 where a_id = $2',
  'delete from a where a_id in (select a_id from b where seller_id = $1)',
  'insert into a (x) values ($1)',
])('"%s" names no seller', (statement) => {
  expect(scopesOf(statement).flatMap((scope) => unboundTables(scope, 'seller_id', new Set(['a', 'b'])))).not.toEqual([])
})

test.each([
  'select * from "a" where "seller_id" = $1',
  'select * from a as first inner join b on b.seller_id = first.seller_id where first.seller_id = $1',
  'select * from a where (seller_id, a_id) in (values ($1, $2))',
  'select * from a where seller_id in (select json_array_elements_text($1::json)) for update',
  'insert into a (seller_id, x) values ($1, $2) on conflict (seller_id) do update set x = excluded.x',
])('"%s" names the seller', (statement) => {
  expect(scopesOf(statement).flatMap((scope) => unboundTables(scope, 'seller_id', new Set(['a', 'b'])))).toEqual([])
})

async function sell(): Promise<void> {
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const listings = listingsClient(souk, token)
  const feeds = new FeedsClient(souk)
  await listings.put('HOUSE-1', newShoe())
  await souk.idle()
  await listings.patch(SKU, [setPrice(50), setQuantity(100)])
  await listings.read(SKU)
  for (const search of ['sortBy=sku', 'sortBy=createdDate', 'sortBy=lastUpdatedDate', 'withIssueSeverity=ERROR', '']) {
    expect((await listings.search(`${IN_US}&${search}`)).statusCode).toBe(200)
  }
  await listings.search(`${IN_US}&identifiers=B0SOUK0001&identifiersType=ASIN`)
  await listings.search(`${IN_US}&identifiers=${SKU}&identifiersType=SKU`)
  await feeds.process([
    update('HOUSE-2', newShoe()),
    partialUpdate(SKU, { purchasable_offer: [{ currency: 'USD', our_price: priceOf(12) }] }),
  ])
  await feeds.feeds('feedTypes=JSON_LISTINGS_FEED')
  await listings.delete('HOUSE-1')
  const market = marketClient(souk, token)
  await market.summary('B0SOUK0001')
  await market.summary('B0SOUK0001')
  await market.expectedPrice(SKU)
  for (const path of [
    `/price?MarketplaceId=ATVPDKIKX0DER&ItemType=Sku&Skus=${SKU}`,
    `/listings/${SKU}/offers?MarketplaceId=ATVPDKIKX0DER&ItemCondition=New`,
    `/items/B0SOUK0001/offers?MarketplaceId=ATVPDKIKX0DER&ItemCondition=New`,
  ]) {
    expect((await market.get(path)).statusCode).toBe(200)
  }
  await souk.idle()
}

async function trade(): Promise<void> {
  const client = new OrdersClient(souk)
  const { takesStock: _, ...sale } = client.build({ items: [item(1)] })
  await client.putOrders(sale)
  await client.putOrders({ ...sale, status: 'Canceled' })
  const orderId = await client.place()
  await client.order(orderId)
  await client.list(`CreatedAfter=2026-05-01T00:00:00Z&MarketplaceIds=ATVPDKIKX0DER`)
  await client.list(`LastUpdatedAfter=2026-05-01T00:00:00Z&MarketplaceIds=ATVPDKIKX0DER`)
  await client.body(`${V2026}?createdAfter=2026-05-01T00:00:00Z&marketplaceIds=ATVPDKIKX0DER`)
  await client.body(`${V2026}/${orderId}`)
  await client.body(`${V0}/${orderId}/orderItems`)
  expect((await client.confirm(orderId)).statusCode).toBe(204)
  const placed = await souk.buyer.order({ sku: SKU })
  await souk.buyer.cancel(placed)
  await new OrderFeedsClient(souk).acknowledge(acknowledgement(await client.place()))
  const [eligible] = souk.demo.orders.eligible
  const actions = `/solicitations/v1/orders/${eligible}`
  await client.get(`${actions}?${IN_US}`)
  expect((await client.post(`${actions}/solicitations/productReviewAndSellerFeedback?${IN_US}`, {})).statusCode).toBe(
    201,
  )
  await client.body('/sellers/v1/account')
  await client.body('/sellers/v1/marketplaceParticipations')
  await souk.idle()
}

async function notify(): Promise<void> {
  const notifications = notificationsClient(souk)
  await notifications.listen('house', 'ORDER_CHANGE')
  await notifications.send('GET', `${SUBSCRIPTIONS}/ORDER_CHANGE`, 'seller')
  souk.clock.advance(1000)
  await new OrdersClient(souk).place({ orderId: '911-0000000-0000001' })
  await souk.idle()
}

async function report(): Promise<void> {
  const reports = new ReportsClient(souk)
  await reports.finished()
  await reports.finished({ reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' })
  await reports.reports('reportTypes=GET_XML_RETURNS_DATA_BY_RETURN_DATE')
  await reports.get(`${REPORTS}/none`)
  await reports.get(`${SCHEDULES}?reportTypes=GET_XML_RETURNS_DATA_BY_RETURN_DATE`)
  await souk.idle()
}
