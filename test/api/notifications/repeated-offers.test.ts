import { beforeAll, expect, test } from 'vitest'
import { type ListingsClient, setPrice, setQuantity } from '../../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, startMarket } from '../../support/market.ts'
import { type NotificationsClient, notificationsClient, receive } from '../../support/notifications.ts'
import type { TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'
// Its price keeps the demo seller's offer from being featured.
const TOO_HIGH = 'B0SOUK0006'

let souk: TestSouk
let market: MarketClient
let listings: ListingsClient
let client: NotificationsClient
beforeAll(async () => {
  ;({ souk, market, listings } = await startMarket())
  client = notificationsClient(souk)
  await client.listen('offers', 'ANY_OFFER_CHANGED')
  await client.listen('health', 'PRICING_HEALTH')
})

async function arrived(queue: string): Promise<number> {
  await souk.idle()
  return (await receive(souk.queueUrl, queue)).length
}

test('another quantity alone makes no notification of an offer, but selling out and coming back do', async () => {
  await listings.patch(SKU, [setQuantity(8)])
  expect(await arrived('offers')).toBe(0)
  await listings.patch(SKU, [setPrice(71.25)])
  expect(await arrived('offers')).toBe(1)
  await listings.patch(SKU, [setQuantity(9)])
  expect(await arrived('offers')).toBe(0)

  const { summaries } = await listings.read(SKU)
  const rival = buildCompetitorOffer('ARIVAL', { asin: summaries[0].asin, priceMinor: 9_000, quantity: 3 })
  await market.offer(rival)
  expect(await arrived('offers')).toBe(1)
  await market.offer({ ...rival, quantity: 2 })
  expect(await arrived('offers')).toBe(0)
  await market.withdraw(rival)
  expect(await arrived('offers')).toBe(1)
  await market.offer(rival)
  expect(await arrived('offers')).toBe(1)
})

test('pricing health is notified of once, and again when it says something else', async () => {
  const rival = buildCompetitorOffer('ADEARRIVAL', { asin: TOO_HIGH, priceMinor: 9_900_000 })
  await market.offer(rival)
  expect(await arrived('health')).toBe(1)
  // The rival is not featured, and there are as many offers as before.
  for (const priceMinor of [9_900_100, 9_900_200, 9_900_300]) await market.offer({ ...rival, priceMinor })
  expect(await arrived('health')).toBe(0)
  await market.withdraw(rival)
  expect(await arrived('health')).toBe(1)
  await arrived('offers')
})

test('an offer that becomes healthy and unhealthy again is notified of again', async () => {
  const offer = buildCompetitorOffer(souk.demo.sellerId, { asin: TOO_HIGH, priceMinor: 9_000_000 })
  const arrivedOfIt = async () => {
    await souk.idle()
    const payloads = (await receive(souk.queueUrl, 'health')).map(({ payload }) => payload as HealthPayload)
    return payloads.filter(({ merchantOffer }) => merchantOffer.listingPrice.amount === 90_000).length
  }
  await market.offer(offer)
  expect(await arrivedOfIt()).toBe(1)
  await market.offer({ ...offer, priceMinor: 1 })
  expect(await arrivedOfIt()).toBe(0)
  await market.offer(offer)
  expect(await arrivedOfIt()).toBe(1)
  await arrived('offers')
})

interface HealthPayload {
  merchantOffer: { listingPrice: { amount: number } }
}

test('what was said before a subscription began is said to it with the next change', async () => {
  const asin = 'B0REPEAT01'
  const mine = buildCompetitorOffer(souk.demo.sellerId, { asin, priceMinor: 100 })
  const crowd = Array.from({ length: 25 }, (_, index) =>
    buildCompetitorOffer(`ACROWD${index}`, { asin, priceMinor: 200 + index }),
  )
  // Beyond the offers that a notification shows: it says the same whatever this one asks.
  const hidden = buildCompetitorOffer('AHIDDEN', { asin, priceMinor: 500, terms: { prime: 'NONE' } })
  const highest = buildCompetitorOffer('AHIGHEST', { asin, priceMinor: 1_000 })
  await market.addProducts(asin)
  await market.offer(mine, ...crowd, hidden, highest)
  expect(await arrived('offers')).toBe(1)
  await market.offer({ ...hidden, priceMinor: 501 })
  expect(await arrived('offers')).toBe(0)

  souk.clock.advance(1000)
  const { subscriptionId } = await notificationsClient(souk, souk.demo.otherSeller.refreshToken).listen(
    'late',
    'ANY_OFFER_CHANGED',
  )
  await market.offer(buildCompetitorOffer(souk.demo.otherSeller.sellerId, { asin, priceMinor: 999 }))
  await arrived('offers')
  expect(await arrived('late')).toBe(1)
  await market.offer({ ...hidden, priceMinor: 502 })
  expect([await arrived('offers'), await arrived('late')]).toEqual([0, 0])
  expect(subscriptionId).toBeDefined()
})
