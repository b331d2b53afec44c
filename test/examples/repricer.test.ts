import { SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../examples/client.ts'
import { subscribe } from '../../examples/queue.ts'
import { type RepricerSettings, repriceChanged } from '../../examples/repricer.ts'
import { arnOf } from '../support/notifications.ts'
import { HOUR, SellerClient } from '../support/seller-client.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

let souk: TestSouk
let settings: RepricerSettings
let waits: number[]
beforeAll(async () => {
  souk = await startTestSouk({ rates: 'documented' })
  waits = []
  const { clientId, clientSecret, refreshToken, sellerId, marketplaceId } = souk.demo
  settings = {
    call: createClient({
      clientId,
      clientSecret,
      refreshToken,
      url: souk.url,
      tokenUrl: `${souk.url}/auth/o2/token`,
      async sleep(milliseconds) {
        waits.push(milliseconds)
        souk.clock.advance(milliseconds)
      },
    }),
    sqs: new SQSClient({
      endpoint: souk.queueUrl,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    sellerId,
    marketplaceId,
    queueArn: arnOf('repricer'),
    limits: { [sku()]: { min: 60, max: 120 } },
    waitSeconds: 0,
  }
  await subscribe(settings.call, settings.queueArn, 'ANY_OFFER_CHANGED')
})
afterAll(() => settings.sqs.destroy())

const sku = () => souk.demo.skus[0] as string
const asin = () => souk.demo.asins[0] as string

/** The price that buyers see. */
async function shownPrice(): Promise<string> {
  const { sellerId, marketplaceId } = settings
  const path = `/listings/2021-08-01/items/${sellerId}/${sku()}?marketplaceIds=${marketplaceId}&includedData=offers`
  const response = await new SellerClient(souk).get(path)
  return response.json().offers[0].price.amount
}

/** Reprices until no notification is left: its own prices are changes, too. */
async function reprice(): Promise<Record<string, number>> {
  const prices: Record<string, number> = {}
  for (;;) {
    await souk.idle()
    const set = await repriceChanged(settings)
    if (Object.keys(set).length === 0) return prices
    Object.assign(prices, set)
  }
}

describe('the repricer', () => {
  test('does nothing while nothing changes', async () => {
    await subscribe(settings.call, settings.queueArn, 'ANY_OFFER_CHANGED')
    expect(await repriceChanged(settings)).toEqual({})
  })

  test('follows a competitor down, becomes the featured offer, and does not go below its limit', async () => {
    await souk.competitor.join({ asin: asin(), sellerId: 'ACHEAPSTALL', price: 80 })
    const prices = await reprice()
    expect(prices[sku()]).toBeGreaterThan(60)
    expect(prices[sku()]).toBeLessThan(82)
    expect(Number(await shownPrice())).toBe(prices[sku()])

    await souk.competitor.setPrice({ asin: asin(), sellerId: 'ACHEAPSTALL', price: 20 })
    expect(await reprice()).toEqual({ [sku()]: 60 })
    expect(await shownPrice()).toBe('60.00')
  })

  test('raises the price when the competitor leaves, an hour later with a new token', async () => {
    souk.clock.advance(2 * HOUR)
    await souk.competitor.leave({ asin: asin(), sellerId: 'ACHEAPSTALL' })
    expect((await reprice())[sku()]).toBeGreaterThan(80)
  })

  test('waits for its quota of expected prices, of which a burst is one', () => {
    expect(waits.filter((milliseconds) => milliseconds > 30_000).length).toBeGreaterThan(0)
  })
})
