import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPostgresDatabase, testDialect } from '../../support/databases.ts'
import {
  IN_US,
  type ListingsClient,
  listingsClient,
  newShoe,
  type Patch,
  setAttribute,
  setPrice,
  setQuantity,
  startListings,
  startWatchedListings,
  statusAndIssuesOf,
  US,
  type Watch,
} from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, listings, watch } = await startWatchedListings())
})

const allAccepted = (responses: Parameters<typeof statusAndIssuesOf>[0][]) =>
  expect(responses.map((response) => statusAndIssuesOf(response).status)).toEqual(responses.map(() => 'ACCEPTED'))

describe('concurrent changes to one SKU', () => {
  test('keep both price and quantity', async () => {
    const sku = 'SOUK-SHOE-001'
    allAccepted(await Promise.all([listings.patch(sku, [setPrice(61)]), listings.patch(sku, [setQuantity(62)])]))
    const { offers, fulfillmentAvailability } = await listings.read(sku)
    expect(offers).toMatchObject([{ price: { amount: '61.00' } }])
    expect(fulfillmentAvailability).toMatchObject([{ quantity: 62 }])
    expect((await watch.offers(sku)).filter((offer) => offer.marketplace_id === US)).toContainEqual(
      expect.objectContaining({ price_minor: 6100, quantity: 62 }),
    )
  })

  test('keep all of twenty attributes of product and offer', async () => {
    const sku = 'SOUK-SHOE-003'
    const text = (name: string) => setAttribute(name, { value: `new ${name}` })
    const patches: Patch[] = [
      setPrice(44),
      setQuantity(45),
      setAttribute('condition_note', { value: 'new condition_note' }),
      setAttribute('max_order_quantity', { value: 3 }),
      ...[
        ...['item_name', 'brand', 'manufacturer', 'model_name', 'part_number', 'style', 'material', 'size'],
        ...[
          'pattern_type',
          'lifestyle',
          'seasons',
          'strap_type',
          'shoe_type',
          'sole_material',
          'toe_style',
          'department',
        ],
      ].map(text),
    ]
    expect(patches).toHaveLength(20)
    allAccepted(await Promise.all(patches.map((patch) => listings.patch(sku, [patch]))))
    await souk.idle()
    const { attributes } = await listings.read(sku)
    for (const { path, value } of patches) {
      const name = path.split('/').at(-1) as string
      expect(attributes[name], name).toMatchObject(value as object[])
    }
  })

  test('keep all merges into one attribute', async () => {
    const sku = 'SOUK-SHOE-004'
    const languages = ['es_US', 'fr_CA', 'pt_BR', 'zh_CN', 'ja_JP', 'it_IT', 'nl_NL', 'pl_PL', 'sv_SE', 'tr_TR']
    const merge = (language_tag: string): Patch => ({
      op: 'merge',
      path: '/attributes/item_name',
      value: [{ value: `Shoe ${language_tag}`, language_tag }],
    })
    allAccepted(await Promise.all(languages.map((language) => listings.patch(sku, [merge(language)]))))
    const { attributes } = await listings.read(sku)
    expect(attributes.item_name).toHaveLength(languages.length + 1)
  })

  test('keep one whole value when all set the same attribute', async () => {
    const sku = 'SOUK-SHOE-005'
    const numbers = Array.from({ length: 10 }, (_, index) => index + 100)
    await Promise.all(numbers.map((number) => listings.patch(sku, [setPrice(number), setQuantity(number)])))
    const { offers, fulfillmentAvailability } = await listings.read(sku)
    const amount = Number(offers[0].price.amount)
    expect(numbers).toContain(amount)
    expect(fulfillmentAvailability).toMatchObject([{ quantity: amount }])
  })
})

describe('a SKU created by concurrent requests', () => {
  test('is one listing of one product', async () => {
    const puts = Array.from({ length: 8 }, (_, index) =>
      listings.put('ONE-AND-ONLY', newShoe({ model_number: [{ value: `M-${index}` }] })),
    )
    allAccepted(await Promise.all(puts))
    await souk.idle()
    const found = (await listings.search(`${IN_US}&identifiersType=SKU&identifiers=ONE-AND-ONLY`)).json()
    expect(found.numberOfResults).toBe(1)
    const { asin } = found.items[0].summaries[0]
    expect(await watch.offers('ONE-AND-ONLY')).toMatchObject([{ asin }])
  })

  test('by patches is one unknown SKU', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => listings.patch('ONE-GHOST', [setQuantity(index)])))
    await souk.idle()
    const item = await listings.read('ONE-GHOST')
    expect(item.issues).toMatchObject([{ code: '13013' }])
    expect(item.attributes.fulfillment_availability).toHaveLength(1)
  })
})

test('listings of one new EAN by several SKUs and sellers create one product', async () => {
  const other = listingsClient(
    souk,
    await souk.tokenFor(souk.demo.otherSeller.refreshToken),
    souk.demo.otherSeller.sellerId,
  )
  const shoe = newShoe({ externally_assigned_product_identifier: [{ type: 'ean', value: '4006381333931' }] })
  const skus = Array.from({ length: 6 }, (_, index) => `SAME-EAN-${index}`)
  allAccepted(await Promise.all(skus.flatMap((sku) => [listings.put(sku, shoe), other.put(sku, shoe)])))
  await souk.idle()
  const asins = await Promise.all(
    skus.flatMap((sku) => [listings, other].map(async (client) => (await client.read(sku)).summaries[0].asin)),
  )
  expect(new Set(asins).size).toBe(1)
  const { items } = (
    await souk.get(`/catalog/2022-04-01/items?${IN_US}&identifiersType=EAN&identifiers=4006381333931`, {
      token: await souk.tokenFor(souk.demo.refreshToken),
    })
  ).json()
  expect(items.map((item: { asin: string }) => item.asin)).toEqual([asins[0]])
})

test('a listing that is deleted and patched concurrently is complete or deleted', async () => {
  for (let round = 0; round < 5; round++) {
    const sku = `CONTESTED-${round}`
    await listings.put(sku, newShoe())
    await souk.idle()
    await Promise.all([listings.delete(sku), listings.patch(sku, [setQuantity(9)])])
    await souk.idle()
    const response = await listings.get(sku, `${IN_US}&includedData=issues,offers`)
    // Either the patch came first, or it found an unknown SKU.
    if (response.statusCode === 200) expect(response.json()).toMatchObject({ issues: [{ code: '13013' }], offers: [] })
    else expect(response.statusCode).toBe(404)
    expect(await watch.offers(sku)).toEqual([])
  }
})

// PostgreSQL resolves a deadlock after a second, which the seller would wait.
test.runIf(testDialect === 'postgres')(
  'a listing that is changed while it is processed causes no deadlock',
  async () => {
    const database = await createPostgresDatabase('demo')
    const own = await startListings({ database })
    for (let round = 0; round < 5; round++) {
      const sku = `PROCESSED-${round}`
      await own.listings.put(sku, newShoe())
      await own.listings.patch(sku, [setQuantity(round)])
      await own.listings.delete(sku)
    }
    // Connections count deadlocks when they end.
    await own.souk.stop()
    const client = new pg.Client(database)
    await client.connect()
    const { rows } = await client.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    await client.end()
    expect(rows).toEqual([{ deadlocks: 0 }])
  },
)
