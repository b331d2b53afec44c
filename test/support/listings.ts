import type { LightMyRequestResponse } from 'fastify'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { eventsIn } from './events.ts'
import { startTestSouk, type TestSouk } from './souk.ts'
import { startWatchedSouk } from './watched-souk.ts'

export const US = 'ATVPDKIKX0DER'
export const DE = 'A1PA6795UKMFR9'
export const IN_US = `marketplaceIds=${US}`
export const IN_DE = `marketplaceIds=${DE}`
export const IN_BOTH = `marketplaceIds=${US},${DE}`
/** All data sets. */
export const EVERYTHING =
  'summaries,attributes,issues,offers,fulfillmentAvailability,procurement,relationships,productTypes'

type Entry = Record<string, unknown>
export interface Patch {
  op: string
  path: string
  value?: Entry[]
}

/** The two patches of the specification. */
export const setPrice = (value_with_tax: number | string, currency = 'USD', op = 'replace'): Patch => ({
  op,
  path: '/attributes/purchasable_offer',
  value: [{ currency, our_price: [{ schedule: [{ value_with_tax }] }] }],
})
export const setQuantity = (quantity: number | string, channel = 'DEFAULT', op = 'replace'): Patch => ({
  op,
  path: '/attributes/fulfillment_availability',
  value: [{ fulfillment_channel_code: channel, quantity }],
})
export const setAttribute = (name: string, ...value: Entry[]): Patch => ({
  op: 'replace',
  path: `/attributes/${name}`,
  value,
})
export const priceOf = (value_with_tax: number) => [{ schedule: [{ value_with_tax }] }]

/** The attributes of a buyable pair of shoes. An override of undefined omits an attribute. */
export function newShoe(overrides: Record<string, Entry[] | undefined> = {}): Record<string, Entry[]> {
  const attributes: Record<string, Entry[] | undefined> = {
    item_name: [{ value: 'Desert boot, sand' }],
    brand: [{ value: 'Oasis' }],
    bullet_point: [{ value: 'Suede' }, { value: 'Crepe sole' }],
    product_description: [{ value: 'A boot for dry days.' }],
    country_of_origin: [{ value: 'PT' }],
    main_product_image_locator: [{ media_location: 'https://images.example/desert-boot.jpg' }],
    condition_type: [{ value: 'new_new' }],
    purchasable_offer: [{ currency: 'USD', our_price: priceOf(79.5) }],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 4 }],
    ...overrides,
  }
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, Entry[]] => entry[1] !== undefined),
  )
}

export const newOffer = (overrides: Record<string, Entry[] | undefined> = {}) => {
  const { condition_type, purchasable_offer, fulfillment_availability } = newShoe()
  return { condition_type, purchasable_offer, fulfillment_availability, ...overrides }
}

export type ListingsClient = ReturnType<typeof listingsClient>

export function listingsClient(souk: TestSouk, token: string, sellerId: string = souk.demo.sellerId) {
  const items = `/listings/2021-08-01/items/${sellerId}`
  const addressOf = (sku: string, query: string) => `${items}/${encodeURIComponent(sku)}?${query}`
  const get = (sku: string, query = IN_US) => souk.get(addressOf(sku, query), { token })
  return {
    get,
    patch: (sku: string, patches: unknown, query = IN_US, productType = 'SHOES') =>
      souk.send('PATCH', addressOf(sku, query), { token, payload: { productType, patches } }),
    put: (sku: string, attributes: unknown, query = IN_US, more: object = {}) =>
      souk.put(addressOf(sku, query), { token, payload: { productType: 'SHOES', attributes, ...more } }),
    delete: (sku: string, query = IN_US) => souk.delete(addressOf(sku, query), { token }),
    search: (query = IN_US) => souk.get(`${items}?${query}`, { token }),
    /** Returns the item with all data sets. */
    async read(sku: string, query = IN_US) {
      const response = await get(sku, `${query}&includedData=${EVERYTHING}`)
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json()
    },
  }
}

export async function startListings(options?: Parameters<typeof startTestSouk>[0]) {
  const souk = await startTestSouk(options)
  const token = await souk.tokenFor(souk.demo.refreshToken)
  return { souk, token, listings: listingsClient(souk, token) }
}

/** The status of a submission, and the codes and attributes of its issues. */
export function statusAndIssuesOf(response: LightMyRequestResponse) {
  const { status, issues } = response.json() as { status: string; issues: IssueCode[] }
  return { status, issues: issues.map(({ code, attributeNames }) => [code, ...(attributeNames ?? [])].join(' ')) }
}

/** The response to a submission without issues. */
export const accepted = (sku: string) => ({
  sku,
  status: 'ACCEPTED',
  submissionId: expect.stringMatching(/^[0-9a-f]{32}$/),
  issues: [],
})

interface IssueCode {
  code: string
  attributeNames?: string[]
}

interface WatchedTables {
  events: { seller_id: string; event_type: string; payload: string; occurred_at: string; event_id: string }
  listings: { sku: string }
  listing_relations: { parent_sku: string; child_sku: string; relation: string }
  offers: { sku: string; asin: string; marketplace_id: string; price_minor: number; quantity: number }
  jobs: { job_id: string; kind: string; payload: string; run_at: string }
  catalog_items: { asin: string }
}
const db = queryBuilder<WatchedTables>()

/** A service with access to its database, for what responses do not contain. */
export async function startWatchedListings(options: Parameters<typeof startTestSouk>[0] = {}) {
  const { souk, database } = await startWatchedSouk(options)
  const token = await souk.tokenFor(souk.demo.refreshToken)
  return { souk, token, listings: listingsClient(souk, token), database, watch: watch(souk, database) }
}

const LISTING_TABLES = ['listings', 'listing_relations', 'offers', 'events', 'jobs', 'catalog_items'] as const

// In a transaction, because plain reads may see an older snapshot.
async function readEverything(database: Database): Promise<Set<string>> {
  return database.transact(async (tx) => {
    const rows = new Set<string>()
    for (const table of LISTING_TABLES) {
      for (const row of await tx.all(db.selectFrom(table).selectAll())) rows.add(JSON.stringify(row))
    }
    return rows
  })
}

export type Watch = ReturnType<typeof watch>

function watch(souk: TestSouk, database: Database) {
  return {
    /** Every row that a change to a listing could touch. Waits for running jobs, whose writes would look like changes. */
    async everything(): Promise<Set<string>> {
      await souk.idle()
      return readEverything(database)
    },
    async changesSince(before: ReadonlySet<string>): Promise<string[]> {
      const now = await readEverything(database)
      return [...[...before].filter((row) => !now.has(row)), ...[...now].filter((row) => !before.has(row))]
    },
    /** The events of a SKU by event id. */
    async events(sku: string) {
      const all = await eventsIn(database)
      const events = all.map(({ eventId, type, sellerId, payload }) => [eventId, { type, sellerId, payload }] as const)
      return new Map(events.filter(([, { payload }]) => (payload.Sku ?? payload.sku) === sku))
    },
    offers: (sku: string) =>
      database.transact((tx) => tx.all(db.selectFrom('offers').selectAll().where('sku', '=', sku))),
    /** The run times of the jobs of a listing. */
    async visits(sku: string) {
      const jobs = await database.transact((tx) => tx.all(db.selectFrom('jobs').selectAll().orderBy('run_at')))
      return jobs.filter(({ payload }) => JSON.parse(payload).sku === sku).map(({ run_at }) => run_at)
    },
    relations: () => database.transact((tx) => tx.all(db.selectFrom('listing_relations').selectAll())),
  }
}

/** Fails every test of a file that changes a row. */
export function expectNoChanges(started: () => { souk: TestSouk; watch: Watch }): void {
  let before: Set<string>
  beforeEach(async () => {
    before = await started().watch.everything()
  })
  afterEach(async () => {
    const { souk, watch } = started()
    await souk.idle()
    expect(await watch.changesSince(before), 'rows written or removed').toEqual([])
  })
}
