// Keeps prices at the highest price that is featured, within limits. ANY_OFFER_CHANGED says when to look.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SQSClient } from '@aws-sdk/client-sqs'
import { type Client, createClient, settingsFromEnvironment } from './client.ts'
import { receive, subscribe } from './queue.ts'

export interface RepricerSettings {
  call: Client
  sqs: SQSClient
  sellerId: string
  marketplaceId: string
  queueArn: string
  /** By SKU. */
  limits: Record<string, { min: number; max: number }>
  waitSeconds?: number
}

interface Item {
  summaries: { asin: string; productType: string }[]
  offers: { price: { amount: string; currencyCode: string } }[]
}
interface ExpectedPrice {
  request: { sku: string }
  body?: { featuredOfferExpectedPriceResults?: { featuredOfferExpectedPrice?: { listingPrice: { amount: number } } }[] }
}
interface OfferChanged {
  AnyOfferChangedNotification: { OfferChangeTrigger: { MarketplaceId: string; ASIN: string } }
}

const EXPECTED_PRICE = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'
const MAX_PRICES_PER_BATCH = 40

/** Handles the notifications that wait. Returns the new prices. */
export const repriceChanged = (settings: RepricerSettings) =>
  receive(settings.sqs, settings.queueArn, settings.waitSeconds ?? 20, async (changes: OfferChanged[]) => {
    const triggers = changes.map((one) => one.AnyOfferChangedNotification.OfferChangeTrigger)
    const here = triggers.filter(({ MarketplaceId }) => MarketplaceId === settings.marketplaceId)
    const items = await findItems(settings, new Set(here.map(({ ASIN }) => ASIN)))
    const prices: Record<string, number> = {}
    for (const [sku, price] of await findPrices(settings, [...items.keys()])) {
      const item = items.get(sku)
      if (!item || Number(item.offers[0]?.price.amount) === price) continue
      await setPrice(settings, sku, item, price)
      prices[sku] = price
    }
    return prices
  })

const pathOf = ({ sellerId }: RepricerSettings, sku: string) =>
  `/listings/2021-08-01/items/${sellerId}/${encodeURIComponent(sku)}`

/** The listings of changed products that have limits. */
async function findItems(settings: RepricerSettings, changed: Set<string>): Promise<Map<string, Item>> {
  const items = new Map<string, Item>()
  const query = { marketplaceIds: settings.marketplaceId, includedData: 'summaries,offers' }
  for (const sku of changed.size > 0 ? Object.keys(settings.limits) : []) {
    const item = await settings.call<Item>('GET', pathOf(settings, sku), { query })
    if (changed.has(item.summaries[0]?.asin ?? '') && item.offers.length > 0) items.set(sku, item)
  }
  return items
}

async function findPrices({ call, marketplaceId, limits }: RepricerSettings, skus: string[]) {
  const prices = new Map<string, number>()
  for (let start = 0; start < skus.length; start += MAX_PRICES_PER_BATCH) {
    const some = skus.slice(start, start + MAX_PRICES_PER_BATCH)
    const requests = some.map((sku) => ({ marketplaceId, sku, method: 'GET', uri: EXPECTED_PRICE }))
    const { responses } = await call<{ responses: ExpectedPrice[] }>('POST', `/batches${EXPECTED_PRICE}`, {
      body: { requests },
    })
    for (const { request, body } of responses) {
      const { min = 0, max = 0 } = limits[request.sku] ?? {}
      const expected = body?.featuredOfferExpectedPriceResults?.[0]?.featuredOfferExpectedPrice?.listingPrice.amount
      // Without a competitor, the limit is the price.
      prices.set(request.sku, Math.min(max, Math.max(min, expected ?? max)))
    }
  }
  return prices
}

async function setPrice(settings: RepricerSettings, sku: string, item: Item, price: number): Promise<void> {
  const currency = item.offers[0]?.price.currencyCode
  const value = [{ currency, our_price: [{ schedule: [{ value_with_tax: price }] }] }]
  const patches = [{ op: 'replace', path: '/attributes/purchasable_offer', value }]
  const query = { marketplaceIds: settings.marketplaceId }
  const body = { productType: item.summaries[0]?.productType, patches }
  await settings.call('PATCH', pathOf(settings, sku), { query, body })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [sellerId = '', marketplaceId = '', queueArn = '', file = ''] = process.argv.slice(2)
  const [call, limits] = [createClient(settingsFromEnvironment()), JSON.parse(readFileSync(file, 'utf8'))]
  await subscribe(call, queueArn, 'ANY_OFFER_CHANGED')
  const settings = { call, sqs: new SQSClient(), sellerId, marketplaceId, queueArn, limits }
  for (;;) for (const [sku, price] of Object.entries(await repriceChanged(settings))) console.log(sku, price)
}
