import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ListingsClient,
  listingsClient,
  newShoe,
  type Patch,
  priceOf,
  setAttribute,
  setQuantity,
  startWatchedListings,
  type Watch,
} from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, watch } = await startWatchedListings())
})
// Time passes in these tests, and a token is good for an hour.
beforeEach(async () => {
  listings = listingsClient(souk, await souk.tokenFor(souk.demo.refreshToken))
})

const MINUTE = 60 * 1000
const inMinutes = (minutes: number) => new Date(souk.clock.now().getTime() + minutes * MINUTE).toISOString()
/** A price of 80 that is reduced to 70 for a while. */
const reduced = (start_at: string, end_at: string, price = 80) => ({
  currency: 'USD',
  our_price: priceOf(price),
  discounted_price: [{ schedule: [{ value_with_tax: 70, start_at, end_at }] }],
})
const patchOffer = async (sku: string, ...patches: Patch[]) =>
  expect((await listings.patch(sku, patches)).json()).toMatchObject({ status: 'ACCEPTED' })
const priceNow = async (sku: string) => (await watch.offers(sku)).map((offer) => Number(offer.price_minor))

async function passMinutes(minutes: number): Promise<void> {
  souk.clock.advance(minutes * MINUTE)
  await souk.idle()
}

async function create(sku: string, offer: object): Promise<void> {
  const response = await listings.put(sku, newShoe({ purchasable_offer: [{ ...offer }] }))
  expect(response.json()).toMatchObject({ status: 'ACCEPTED' })
  await souk.idle()
}

describe('a listing with a scheduled discount', () => {
  test('has one job however often its price is patched, and the discount starts and ends on time', async () => {
    const [start, end] = [inMinutes(10), inMinutes(20)]
    await create('MANY-PATCHES', reduced(start, end))
    for (let price = 81; price <= 130; price++) {
      await patchOffer('MANY-PATCHES', setAttribute('purchasable_offer', reduced(start, end, price)))
    }
    await souk.idle()
    expect(await watch.visits('MANY-PATCHES')).toEqual([start])
    await passMinutes(10)
    expect(await priceNow('MANY-PATCHES')).toEqual([7000])
    expect(await watch.visits('MANY-PATCHES')).toEqual([end])
    await passMinutes(10)
    expect(await priceNow('MANY-PATCHES')).toEqual([13000])
    expect(await watch.visits('MANY-PATCHES')).toEqual([])
  })

  test('has one job when each patch has another schedule, and the last schedule applies', async () => {
    await create('MOVED', reduced(inMinutes(30), inMinutes(60)))
    for (const start of [25, 5, 40, 15]) {
      await patchOffer('MOVED', setAttribute('purchasable_offer', reduced(inMinutes(start), inMinutes(50))))
      await souk.idle()
      expect(await watch.visits('MOVED')).toHaveLength(1)
    }
    await passMinutes(5)
    expect(await priceNow('MOVED')).toEqual([8000])
    await passMinutes(10)
    expect(await priceNow('MOVED')).toEqual([7000])
    await passMinutes(35)
    expect(await priceNow('MOVED')).toEqual([8000])
    expect(await watch.visits('MOVED')).toEqual([])
  })

  test('has one job while changes of the product are processed in between', async () => {
    const [start, end] = [inMinutes(10), inMinutes(20)]
    await create('PRODUCT-TOO', reduced(start, end))
    for (const value of ['Chukka', 'Brogue', 'Derby']) {
      await patchOffer('PRODUCT-TOO', setAttribute('style', { value }), setQuantity(7))
      await souk.idle()
    }
    expect(await watch.visits('PRODUCT-TOO')).toEqual([start])
  })
})
