import { beforeAll, describe, expect, test } from 'vitest'
import { codesOf, DE, FeedsClient, patch, remove, summary, US, update } from '../../support/feeds.ts'
import {
  EVERYTHING,
  IN_BOTH,
  IN_DE,
  IN_US,
  type ListingsClient,
  listingsClient,
  newShoe,
  priceOf,
  setPrice,
  setQuantity,
  startListings,
} from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
  client = new FeedsClient(souk)
})

const isThere = async (sku: string, query = IN_US) => (await listings.get(sku, query)).statusCode === 200

describe('a feed of many messages', () => {
  test('is DONE though some are invalid: the others are applied, the invalid ones counted', async () => {
    const bad = newShoe({ brand: undefined })
    const report = await client.process([
      update('MANY-1', newShoe()),
      update('MANY-2', bad),
      patch('MANY-1', setPrice(-1)),
      patch('MANY-1', setPrice('19.90'), setQuantity('7')),
      update('MANY-3', newShoe(), { productType: 'NO_SUCH_TYPE' }),
      update('MANY-4', newShoe()),
    ])
    expect(report.summary).toEqual(summary(6, { invalid: 3 }))
    expect(codesOf(report)).toEqual(['2 90220 brand', '3 90004114 purchasable_offer', '5 4002008'])
    expect(report.issues[2]).toMatchObject({ sku: 'MANY-3', message: expect.stringContaining('NO_SUCH_TYPE') })
    expect(await listings.read('MANY-1')).toMatchObject({
      offers: [{ price: { amount: '19.90' } }],
      fulfillmentAvailability: [{ quantity: 7 }],
    })
    expect(await isThere('MANY-2')).toBe(false)
    expect(await isThere('MANY-3')).toBe(false)
    expect(await isThere('MANY-4')).toBe(true)
  })

  test('applies messages of one SKU in order, whatever their ids', async () => {
    const messages = [
      { messageId: 9, ...update('ORDER', newShoe()) },
      { messageId: 3, ...patch('ORDER', setQuantity(1)) },
      { messageId: 7, ...remove('ORDER') },
      { messageId: 1, ...update('ORDER', newShoe({ item_name: [{ value: 'Second life' }] })) },
      { messageId: 5, ...patch('ORDER', setQuantity(5)) },
      { messageId: 4, ...patch('ORDER', setQuantity(4)) },
    ]
    expect((await client.process(messages)).summary).toEqual(summary(6))
    expect(await listings.read('ORDER')).toMatchObject({
      summaries: [{ itemName: 'Second life' }],
      fulfillmentAvailability: [{ quantity: 4 }],
    })
  })

  test('counts each message once over many steps, and reports the invalid ones', async () => {
    const messages = Array.from({ length: 1203 }, (_, index) =>
      index % 100 === 99 ? patch('STEPS', setQuantity(-1)) : patch('STEPS', setQuantity(index)),
    )
    const report = await client.process([update('STEPS', newShoe()), ...messages])
    expect(report.summary).toEqual(summary(1204, { invalid: 12 }))
    expect(report.issues.map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: 12 }, (_, index) => index * 100 + 101),
    )
    expect((await listings.read('STEPS')).fulfillmentAvailability).toMatchObject([{ quantity: 1202 }])
  })

  // On PostgreSQL, a step has 100 messages. What it reads ahead of the step before it is seen in most of several steps.
  const STEPS = [1, 2, 3, 4]
  const fill = (step: number, ...edges: ReturnType<typeof remove>[]) =>
    Array.from({ length: 100 - edges.length }, (_, index) => update(`FILL-${step}-${index}`, newShoe()))

  test('deletes listings that the step before has created', async () => {
    const edges = (step: number) => [remove(`EDGE-${step - 1}`), update(`EDGE-${step}`, newShoe())] as const
    const messages = STEPS.flatMap((step) => [edges(step)[0], ...fill(step, ...edges(step)), edges(step)[1]])
    expect((await client.process(messages)).summary).toEqual(summary(400))
    for (const step of STEPS) expect(await isThere(`EDGE-${step}`)).toBe(step === 4)
  })

  test('matches the product of the first identifier, which the step before has added', async () => {
    const withEans = (...values: string[]) =>
      newShoe({ externally_assigned_product_identifier: values.map((value) => ({ type: 'ean', value })) })
    await client.process([update('EDGE-KNOWN', withEans('4012345678918'))])
    const report = await client.process([
      ...fill(5, remove('EDGE-NEW')),
      update('EDGE-NEW', withEans('4012345678925')),
      update('EDGE-BOTH', withEans('4012345678925', '4012345678918')),
    ])
    expect(report.summary).toEqual(summary(101))
    const asinOf = async (sku: string) => (await listings.read(sku)).summaries[0].asin
    expect(await asinOf('EDGE-BOTH')).toBe(await asinOf('EDGE-NEW'))
    expect(await asinOf('EDGE-BOTH')).not.toBe(await asinOf('EDGE-KNOWN'))
  })

  test('reports more issues than a page', async () => {
    const bad = Array.from({ length: 1100 }, () => patch('SOUK-SHOE-001', setQuantity(-1)))
    const { issues, summary: counted } = await client.process(bad)
    expect(counted).toEqual(summary(1100, { invalid: 1100 }))
    expect(issues.map(({ messageId }) => messageId)).toEqual(bad.map((_, index) => index + 1))
  })

  test('lists one product under all SKUs with its identifier, and others under products of their own', async () => {
    const withEan = newShoe({ externally_assigned_product_identifier: [{ type: 'ean', value: '4012345678901' }] })
    const skus = ['TWIN-1', 'TWIN-2', 'LONER-1', 'LONER-2']
    await client.process(skus.map((sku) => update(sku, sku.startsWith('TWIN') ? withEan : newShoe())))
    const asins = await Promise.all(skus.map(async (sku) => (await listings.read(sku)).summaries[0].asin))
    expect(asins[1]).toBe(asins[0])
    expect(new Set(asins).size).toBe(3)
  })

  test('creates a listing again that it deleted, with a product of its own', async () => {
    await client.process([update('AGAIN', newShoe())])
    const before = (await listings.read('AGAIN')).summaries[0].asin
    expect((await client.process([remove('AGAIN'), update('AGAIN', newShoe())])).summary).toEqual(summary(2))
    expect((await listings.read('AGAIN')).summaries[0].asin).not.toBe(before)
  })

  test("does not change another seller's listings with the same SKU", async () => {
    const other = new FeedsClient(souk, souk.demo.otherSeller)
    const theirs = listingsClient(souk, await other.token(), other.sellerId)
    await other.process([update('SHARED', newShoe())])
    const before = await theirs.read('SHARED')
    await client.process([update('SHARED', newShoe({ item_name: [{ value: 'Mine' }] })), remove('SHARED')])
    expect(await theirs.read('SHARED')).toEqual(before)
  })
})

describe('a feed for two marketplaces', () => {
  const offers = [
    { currency: 'USD', our_price: priceOf(50), marketplace_id: US },
    { currency: 'EUR', our_price: priceOf(45), marketplace_id: DE },
  ]
  const both = { marketplaceIds: [US, DE] }

  test('applies each message to both', async () => {
    const report = await client.process(
      [update('BOTH-1', newShoe({ purchasable_offer: offers })), patch('BOTH-1', setQuantity(8))],
      { includedData: EVERYTHING.split(',') },
      both,
    )
    expect(report).toMatchObject({ issues: [], summary: summary(2) })
    expect((await listings.read('BOTH-1', IN_US)).offers).toMatchObject([{ price: { amount: '50.00' } }])
    expect((await listings.read('BOTH-1', IN_DE)).offers).toMatchObject([{ price: { amount: '45.00' } }])
    const together = await listings.read('BOTH-1', IN_BOTH)
    expect(together.fulfillmentAvailability).toMatchObject([{ quantity: 8 }, { quantity: 8 }])
    expect(report.items).toEqual([together])
  })

  test('reports an issue once that is the same in both, and writes to neither', async () => {
    const report = await client.process([update('BOTH-2', newShoe({ brand: undefined }))], {}, both)
    expect(codesOf(report)).toEqual(['1 90220 brand'])
    expect(await isThere('BOTH-2', IN_BOTH)).toBe(false)
  })

  test('deletes the listing in both', async () => {
    await client.process([remove('BOTH-1')], {}, both)
    expect(await isThere('BOTH-1', IN_US)).toBe(false)
    expect(await isThere('BOTH-1', IN_DE)).toBe(false)
  })

  test('rejects entries for a marketplace that is not part of the feed', async () => {
    const report = await client.process([update('BOTH-3', newShoe({ purchasable_offer: offers }))])
    expect(codesOf(report)).toEqual(['1 90000900 purchasable_offer'])
  })
})
