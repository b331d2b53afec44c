// A stand-in on one database, in its own process: does an operation many times, and reports what one took.
import { invalidateSummaries } from '../../src/areas/pricing/summary/invalidation.ts'
import { openDatabase } from '../../src/composition/adapters.ts'
import { demo } from '../../src/dev/demo/index.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { claimJobs, insertJob, removeJob } from '../../src/platform/jobs/store.ts'
import { createOutbox } from '../../src/platform/outbox/outbox.ts'
import { parseDatabase } from '../../src/stand-in/open-locked.ts'
import { startStandIn } from '../../src/stand-in/stand-in.ts'
import { fetchToken } from './demo-client.ts'
import { asinOf, BENCH_JOB, orderIdOf, skuOf, WAITING_JOB } from './growth-rows.ts'
import { ownMegabytes } from './resident-memory.ts'
import { openCpuClock } from './service-cpu-time.ts'

export const OPERATIONS = [
  'getListingsItem',
  'patchListingsItem',
  'searchListingsItems',
  'getCompetitiveSummary',
  'getCompetitiveSummary after a change',
  'getOrders',
  'getOrder',
  'order of a buyer',
  'offer of a competitor',
  'claim of a job',
  'fan-out of an event',
] as const
export type GrowthOperation = (typeof OPERATIONS)[number]

export type GrowthQuestion =
  | { do: 'operation'; operation: GrowthOperation }
  | { do: 'start' }
  | { do: 'memory' }
  | { do: 'stop' }

/** How many rows each operation uses, and how often it runs in a round. */
const KEYS = 50

if (process.send) {
  const [database = '', size = '0'] = process.argv.slice(2)
  const service = serve(database, Number(size))
  process.on('message', async (question: GrowthQuestion) => process.send?.(await (await service)(question)))
}

async function serve(location: string, size: number) {
  const cpu = await openCpuClock(location)
  const before = await cpu()
  const souk = await startStandIn({ database: location, rates: 'off', requestLog: 0 })
  const startCost = (await cpu()) - before
  const database = await openDatabase(parseDatabase(location))
  const ids = new RandomIds()
  const outbox = createOutbox(ids)
  const { sellerId, marketplaceId } = demo
  const token = await fetchToken(souk.url)
  const send = async (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) => {
    const response = await souk.inject({
      method,
      url,
      headers: { 'x-amz-access-token': token },
      ...(payload && { payload }),
    })
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${response.body}`)
  }
  // The same rows in every round, from all over the tables. What is measured is the work, and not what the memory has
  // room for.
  let asked = 0
  const any = () => Math.floor((((asked++ % KEYS) + 0.5) * size) / KEYS)
  let changes = 0
  const getSummary = (asin: string) => send('POST', `/batches${SUMMARY}`, { requests: [summaryOf(asin)] })
  const operations: Record<GrowthOperation, () => Promise<unknown>> = {
    getListingsItem: () => send('GET', `${LISTINGS}/${sellerId}/${skuOf(any())}?marketplaceIds=${marketplaceId}`),
    patchListingsItem: () =>
      send('PATCH', `${LISTINGS}/${sellerId}/${skuOf(any())}?marketplaceIds=${marketplaceId}`, priceOf(++changes)),
    searchListingsItems: () => send('GET', `${LISTINGS}/${sellerId}?marketplaceIds=${marketplaceId}&pageSize=20`),
    getCompetitiveSummary: () => getSummary(asinOf(any())),
    'getCompetitiveSummary after a change': async () => {
      const asin = asinOf(any())
      await database.transact((tx) => invalidateSummaries(tx, [{ marketplaceId, asin }]))
      await getSummary(asin)
    },
    getOrders: () =>
      send(
        'GET',
        `/orders/v0/orders?MarketplaceIds=${marketplaceId}&CreatedAfter=2020-01-01&OrderStatuses=Unshipped&MaxResultsPerPage=10`,
      ),
    getOrder: () => send('GET', `/orders/v0/orders/${orderIdOf(any())}`),
    'order of a buyer': () => souk.buyer.order({ sku: skuOf(any()) }),
    'offer of a competitor': async () => {
      const asin = asinOf(any())
      const { sellerId: competitor } = await souk.competitor.join({ asin, price: 30 })
      await souk.competitor.leave({ asin, sellerId: competitor })
    },
    'claim of a job': () =>
      database.transact(async (tx) => {
        const now = new Date()
        const id = ids.next('job')
        await insertJob(tx, { id, kind: BENCH_JOB, payload: {}, runAt: now, owner: sellerId })
        const claim = { now, lease: 'growth', leaseEnds: now, limit: 1, kinds: [BENCH_JOB, WAITING_JOB], except: [] }
        const [job] = await claimJobs(tx, database.dialect, claim)
        if (!job || !(await removeJob(tx, job.id, 'growth'))) throw new Error('The job was not claimed')
      }),
    'fan-out of an event': async () => {
      await database.transact((tx) =>
        outbox.append(tx, [{ sellerId, type: 'ORDER_CHANGE', occurredAt: new Date(), payload: ORDER_CHANGE }]),
      )
      await souk.idle()
    },
  }
  return async (question: GrowthQuestion): Promise<number> => {
    if (question.do === 'start') return startCost
    if (question.do === 'memory') return ownMegabytes(process.pid)
    if (question.do === 'stop') {
      await souk.stop()
      return 0
    }
    const began = await cpu()
    for (let count = 0; count < KEYS; count++) await operations[question.operation]()
    await souk.idle()
    return (((await cpu()) - began) / KEYS) * 1000
  }
}

const LISTINGS = '/listings/2021-08-01/items'
const SUMMARY = '/products/pricing/2022-05-01/items/competitiveSummary'
const ORDER_CHANGE = { OrderChangeNotification: { SellerId: demo.sellerId, AmazonOrderId: '951-0000000-0000000' } }

const priceOf = (change: number) => ({
  productType: 'SHOES',
  patches: [
    // Buyers order some in the operations that follow.
    {
      op: 'replace',
      path: '/attributes/fulfillment_availability',
      value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 1_000 + (change % 97) }],
    },
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 10 + (change % 8999) / 100 }] }] }],
    },
  ],
})

const summaryOf = (asin: string) => ({
  asin,
  marketplaceId: demo.marketplaceId,
  includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers'],
  method: 'GET',
  uri: SUMMARY,
})
