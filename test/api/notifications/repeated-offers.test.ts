import { beforeAll, expect, test } from 'vitest'
import { type ListingsClient, setPrice, setQuantity } from '../../support/listings.ts'
import { buildCompetitorOffer, type MarketClient, startMarket } from '../../support/market.ts'
import { type NotificationsClient, notificationsClient, receive } from '../../support/notifications.ts'
import type { TestSouk } from '../../support/souk.ts'

const SKU = 'SOUK-SHOE-001'
// The demo seller's price is too high for the featured offer.
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

test('a quantity change alone sends no ANY_OFFER_CHANGED; selling out and restocking do', async () => {
  await listings.patch(SKU, [setQuantity(8)])
  expect(await arrived('offers')).toBe(0)
  await listings.patch(SKU, [setPrice(71.25)])
  expect(await arrived('offers')).toBe(1)
  await listings.patch(SKU, [setQuantity(9)])
  expect(await arrived('offers')).toBe(0)

  const { summaries } = await listings.read(SKU)
  const competitor = buildCompetitorOffer('ACOMPETITOR', { asin: summaries[0].asin, priceMinor: 9_000, quantity: 3 })
  await market.offer(competitor)
  expect(await arrived('offers')).toBe(1)
  await market.offer({ ...competitor, quantity: 2 })
  expect(await arrived('offers')).toBe(0)
  await market.withdraw(competitor)
  expect(await arrived('offers')).toBe(1)
  await market.offer(competitor)
  expect(await arrived('offers')).toBe(1)
})

test('PRICING_HEALTH is sent once, and again when its content changes', async () => {
  const competitor = buildCompetitorOffer('AHIGHCOMPETITOR', { asin: TOO_HIGH, priceMinor: 9_900_000 })
  await market.offer(competitor)
  expect(await arrived('health')).toBe(1)
  // The competitor is not featured, and the number of offers does not change.
  for (const priceMinor of [9_900_100, 9_900_200, 9_900_300]) await market.offer({ ...competitor, priceMinor })
  expect(await arrived('health')).toBe(0)
  await market.withdraw(competitor)
  expect(await arrived('health')).toBe(1)
  await arrived('offers')
})

test('PRICING_HEALTH is sent again when an offer recovers and then loses eligibility again', async () => {
  const offer = buildCompetitorOffer(souk.demo.sellerId, { asin: TOO_HIGH, priceMinor: 9_000_000 })
  const arrivedForOffer = async () => {
    await souk.idle()
    const payloads = (await receive(souk.queueUrl, 'health')).map(({ payload }) => payload as HealthPayload)
    return payloads.filter(({ merchantOffer }) => merchantOffer.listingPrice.amount === 90_000).length
  }
  await market.offer(offer)
  expect(await arrivedForOffer()).toBe(1)
  await market.offer({ ...offer, priceMinor: 1 })
  expect(await arrivedForOffer()).toBe(0)
  await market.offer(offer)
  expect(await arrivedForOffer()).toBe(1)
  await arrived('offers')
})

interface HealthPayload {
  merchantOffer: { listingPrice: { amount: number } }
}

test('a new subscription receives unchanged content with the next change', async () => {
  const asin = 'B0REPEAT01'
  const mine = buildCompetitorOffer(souk.demo.sellerId, { asin, priceMinor: 100 })
  const crowd = Array.from({ length: 25 }, (_, index) =>
    buildCompetitorOffer(`ACROWD${index}`, { asin, priceMinor: 200 + index }),
  )
  // Not among the offers in a notification, so its price does not change the content.
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
