import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../examples/client.ts'
import { requestReviews } from '../../examples/review-requester.ts'
import { DAY, HOUR } from '../support/seller-client.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk({ rates: 'documented' })
})

function run(): Promise<string[]> {
  const { clientId, clientSecret, refreshToken, marketplaceId } = souk.demo
  const call = createClient({
    clientId,
    clientSecret,
    refreshToken,
    url: souk.url,
    tokenUrl: `${souk.url}/auth/o2/token`,
    sleep: async (milliseconds) => souk.clock.advance(milliseconds),
  })
  return requestReviews({ call, marketplaceId, now: souk.clock.now() })
}

/** Ships an order as the seller, so that the carrier can deliver it. */
async function sell() {
  const order = await souk.buyer.order({ sku: souk.demo.skus[0] as string })
  const { orderId, items } = order
  const promised = order as unknown as { earliestDeliveryAt: string; latestDeliveryAt: string }
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const packageDetail = {
    packageReferenceId: '1',
    carrierCode: 'UPS',
    trackingNumber: '1Z',
    shipDate: souk.clock.now().toISOString(),
    orderItems: items.map(({ orderItemId, quantity }) => ({ orderItemId, quantity })),
  }
  const payload = { marketplaceId: souk.demo.marketplaceId, packageDetail }
  const response = await souk.post(`/orders/v0/orders/${orderId}/shipmentConfirmation`, { token, payload })
  expect(response.statusCode, response.body).toBe(204)
  return { orderId, earliest: Date.parse(promised.earliestDeliveryAt), latest: Date.parse(promised.latestDeliveryAt) }
}

const moveTo = (time: number) => souk.clock.advance(time - souk.clock.now().getTime())

describe('the review requester', () => {
  test('requests a review for every order that allows it, and for no other', async () => {
    const requested = await run()
    const { eligible, notDelivered, tooEarly, tooLate, optedOut, alreadySolicited } = souk.demo.orders
    expect(requested).toEqual(expect.arrayContaining(eligible))
    for (const orderId of [notDelivered, tooEarly, tooLate, optedOut, alreadySolicited]) {
      expect(requested).not.toContain(orderId)
    }
  })

  test('requests none twice', async () => {
    expect(await run()).toEqual([])
  })

  test('requests a review five days after the promised delivery, not before, and not after 30 days', async () => {
    const { orderId, earliest, latest } = await sell()
    const late = await sell()
    souk.clock.advance(2 * DAY)
    await souk.carrier.deliver(orderId)
    moveTo(earliest + 5 * DAY - HOUR)
    expect(await run()).not.toContain(orderId)
    moveTo(earliest + 5 * DAY + HOUR)
    expect(await run()).toContain(orderId)
    await souk.carrier.deliver(late.orderId)
    moveTo(latest + 30 * DAY + HOUR)
    expect(await run()).not.toContain(late.orderId)
  })
})

test('the example programs have less than 100 lines each', async () => {
  const { readFileSync } = await import('node:fs')
  for (const name of ['client', 'queue', 'repricer', 'review-requester']) {
    expect(readFileSync(`examples/${name}.ts`, 'utf8').split('\n').length, name).toBeLessThan(100)
  }
})
