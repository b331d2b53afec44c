import { beforeAll, describe, expect, test } from 'vitest'
import type { Listing } from '../../../src/areas/listings/domain/listing.ts'
import { oldHistorySweep } from '../../../src/areas/listings/retention.ts'
import { listPastTerms, recordChanges } from '../../../src/areas/listings/store/history-store.ts'
import { findListing } from '../../../src/areas/listings/store/listing-store.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import {
  DE,
  listingsClient,
  newShoe,
  setAttribute,
  setPrice,
  setQuantity,
  startWatchedListings,
  US,
} from '../../support/listings.ts'
import { DAY, registerSeller } from '../../support/seller-client.ts'
import { errorOf, type TestSouk } from '../../support/souk.ts'

const SKU = 'HISTORY/1'
const usd = (amount: string) => ({ amount, currencyCode: 'USD' })

let souk: TestSouk
let database: Database
beforeAll(async () => {
  ;({ souk, database } = await startWatchedListings())
})

/** With a token that is valid now. */
const listings = async () => listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))

const historyOf = async (sku: string, marketplaceId = US) =>
  souk.get(`/console/v1/listings/${encodeURIComponent(sku)}/history?marketplaceId=${marketplaceId}`, {
    token: await souk.tokenFor(souk.demo.refreshToken),
  })
const entriesOf = async (sku: string) =>
  (await historyOf(sku)).json().entries.map(({ price, quantity }: Entry) => [price?.amount ?? null, quantity])
interface Entry {
  price: { amount: string } | null
  quantity: number | null
}

const keyOf = (sku: string) => ({ sellerId: souk.demo.sellerId, sku, marketplaceId: US })

async function create(sku: string) {
  await (await listings()).put(sku, newShoe())
  await souk.idle()
}
async function patchLater(sku: string, ...patches: object[]) {
  await souk.clock.advance(60_000)
  await (await listings()).patch(sku, patches)
  await souk.idle()
}

/** Changes the quantity every millisecond: 101, 102 and so on were before the changes. */
async function changeOften(sku: string, changes: number) {
  await souk.clock.advance(changes + 1)
  const endsAt = souk.clock.now().getTime()
  await database.transact(async (tx) => {
    const after = (await findListing(tx, keyOf(sku))) as Listing
    for (let change = 1; change <= changes; change++) {
      const before = { ...after, quantity: change + 100 }
      await recordChanges(tx, [{ before, after }], new Date(endsAt - changes + change))
    }
  })
}
const storedOf = (sku: string) => database.transact((tx) => listPastTerms(tx, keyOf(sku), { since: '', limit: 10_000 }))

describe('the history of a listing', () => {
  test('has each price and quantity with the time from which on it applied', async () => {
    const createdAt = souk.clock.now().toISOString()
    await create(SKU)
    await patchLater(SKU, setPrice(70))
    const changedAt = souk.clock.now().toISOString()
    await patchLater(SKU, setQuantity(9))
    expect((await historyOf(SKU)).json()).toEqual({
      sku: SKU,
      marketplaceId: US,
      entries: [
        { from: createdAt, price: usd('79.50'), quantity: 4 },
        { from: changedAt, price: usd('70.00'), quantity: 4 },
        { from: souk.clock.now().toISOString(), price: usd('70.00'), quantity: 9 },
      ],
      until: souk.clock.now().toISOString(),
      isComplete: true,
    })
  })

  test('has no entry for a change of something else', async () => {
    await create('HISTORY-2')
    await patchLater('HISTORY-2', setAttribute('item_name', { value: 'Another name' }))
    await patchLater('HISTORY-2', setPrice(79.5))
    expect(await entriesOf('HISTORY-2')).toEqual([['79.50', 4]])
  })

  test('shows what an order takes from the stock', async () => {
    await create('HISTORY-3')
    await souk.clock.advance(60_000)
    await souk.buyer.order({ sku: 'HISTORY-3', quantity: 3 })
    expect(await entriesOf('HISTORY-3')).toEqual([
      ['79.50', 4],
      ['79.50', 1],
    ])
  })

  test('has no quantity while the marketplace has the stock', async () => {
    await create('HISTORY-4')
    const availability = { fulfillment_channel_code: 'AMAZON_NA' }
    await patchLater('HISTORY-4', setAttribute('fulfillment_availability', availability))
    expect(await entriesOf('HISTORY-4')).toEqual([
      ['79.50', 4],
      ['79.50', null],
    ])
  })

  test('of several changes at the same time has the last', async () => {
    await create('HISTORY-5')
    await patchLater('HISTORY-5', setPrice(60))
    await (await listings()).patch('HISTORY-5', [setPrice(61)])
    expect(await entriesOf('HISTORY-5')).toEqual([
      ['79.50', 4],
      ['61.00', 4],
    ])
  })

  test('of a listing that was deleted and created again begins with the new one', async () => {
    await create('HISTORY-6')
    await patchLater('HISTORY-6', setPrice(60))
    await souk.clock.advance(60_000)
    await (await listings()).delete('HISTORY-6')
    await souk.clock.advance(60_000)
    await create('HISTORY-6')
    expect(await entriesOf('HISTORY-6')).toEqual([['79.50', 4]])
  })

  test('has the newest 500 changes', async () => {
    await create('HISTORY-7')
    await changeOften('HISTORY-7', 501)
    const { entries, isComplete } = (await historyOf('HISTORY-7')).json()
    expect([entries.length, entries[0].quantity, entries.at(-1).quantity, isComplete]).toEqual([500, 103, 4, false])
  })

  test('is stored as far as it can be read, however often a price changes', async () => {
    await create('HISTORY-10')
    await create('HISTORY-11')
    await changeOften('HISTORY-11', 50)
    await changeOften('HISTORY-10', 2_000)
    const stored = await storedOf('HISTORY-10')
    expect(stored.length).toBeGreaterThan(500)
    expect(stored.length).toBeLessThan(800)
    expect(stored[0]?.quantity).toBe(2_100)
    expect(await storedOf('HISTORY-11')).toHaveLength(50)
    const { entries, isComplete } = (await historyOf('HISTORY-10')).json()
    expect([entries.length, entries[0].quantity, isComplete]).toEqual([500, 1_602, false])
  })

  test('is kept for 90 days, and then begins with the values of that time', async () => {
    await create('HISTORY-8')
    await patchLater('HISTORY-8', setPrice(60))
    await souk.clock.advance(80 * DAY)
    await patchLater('HISTORY-8', setPrice(50))
    await souk.clock.advance(20 * DAY)
    const { entries, isComplete } = (await historyOf('HISTORY-8')).json()
    expect(entries.map(({ price }: Entry) => price?.amount)).toEqual(['60.00', '50.00'])
    expect(entries[0].from).toBe(new Date(souk.clock.now().getTime() - 90 * DAY).toISOString())
    expect(isComplete).toBe(false)
  })

  test('is deleted after 90 days', async () => {
    await create('HISTORY-9')
    await patchLater('HISTORY-9', setPrice(60))
    const sweep = () => oldHistorySweep.sweep({ database, clock: souk.clock }, new AbortController().signal)
    await souk.clock.advance(90 * DAY)
    await sweep()
    expect(await storedOf('HISTORY-9')).toHaveLength(1)
    await souk.clock.advance(1)
    await sweep()
    expect(await storedOf('HISTORY-9')).toEqual([])
  })
})

describe('the history of a listing is refused', () => {
  test('with 404 for a SKU of another seller', async () => {
    const token = await souk.tokenFor(await registerSeller(souk, 'AHISTORYSELLER'))
    const response = await souk.get(`/console/v1/listings/HISTORY-2/history?marketplaceId=${US}`, { token })
    expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound' })
  })

  test('with 404 for a SKU that is not listed in the marketplace', async () => {
    expect(errorOf(await historyOf('HISTORY-2', DE))).toMatchObject({ status: 404, code: 'NotFound' })
  })

  test('with 400 for an unknown marketplace', async () => {
    expect(errorOf(await historyOf('HISTORY-2', 'UNKNOWN'))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })
})
