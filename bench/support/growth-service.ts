// A stand-in on one database, in its own process: does an operation many times, and reports what one took.
import pg from 'pg'
import { openDatabase } from '../../src/composition/adapters.ts'
import { demo } from '../../src/dev/demo/index.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { claimJobs, insertJob, removeJob } from '../../src/platform/jobs/store.ts'
import { createOutbox } from '../../src/platform/outbox/outbox.ts'
import { parseDatabase } from '../../src/stand-in/open-locked.ts'
import { startStandIn } from '../../src/stand-in/stand-in.ts'
import { cpuMilliseconds } from './cpu-time.ts'
import { fetchToken } from './demo-client.ts'
import { asinOf, BENCH_JOB, skuOf, WAITING_JOB } from './growth-rows.ts'
import { ownMegabytes } from './resident-memory.ts'

export const OPERATIONS = [
  'getListingsItem',
  'patchListingsItem',
  'searchListingsItems',
  'getCompetitiveSummary',
  'getOrders',
  'claim of a job',
  'fan-out of an event',
] as const
export type GrowthOperation = (typeof OPERATIONS)[number]

export type GrowthQuestion =
  | { do: 'operation'; operation: GrowthOperation; count: number }
  | { do: 'start' }
  | { do: 'memory' }
  | { do: 'stop' }

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
  const any = () => Math.floor(Math.random() * size)
  let changes = 0
  const operations: Record<GrowthOperation, () => Promise<unknown>> = {
    getListingsItem: () => send('GET', `${LISTINGS}/${sellerId}/${skuOf(any())}?marketplaceIds=${marketplaceId}`),
    patchListingsItem: () =>
      send('PATCH', `${LISTINGS}/${sellerId}/${skuOf(any())}?marketplaceIds=${marketplaceId}`, priceOf(++changes)),
    searchListingsItems: () => send('GET', `${LISTINGS}/${sellerId}?marketplaceIds=${marketplaceId}&pageSize=20`),
    getCompetitiveSummary: () => send('POST', `/batches${SUMMARY}`, { requests: [summaryOf(asinOf(any()))] }),
    getOrders: () =>
      send(
        'GET',
        `/orders/v0/orders?MarketplaceIds=${marketplaceId}&CreatedAfter=2020-01-01&OrderStatuses=Unshipped&MaxResultsPerPage=10`,
      ),
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
    for (let count = 0; count < question.count; count++) await operations[question.operation]()
    await souk.idle()
    return (((await cpu()) - began) / question.count) * 1000
  }
}

const LISTINGS = '/listings/2021-08-01/items'
const SUMMARY = '/products/pricing/2022-05-01/items/competitiveSummary'
const ORDER_CHANGE = { OrderChangeNotification: { SellerId: demo.sellerId, AmazonOrderId: '951-0000000-0000000' } }

const priceOf = (change: number) => ({
  productType: 'SHOES',
  patches: [
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

/** The CPU time of this process, and of the server's processes for its database. Unlike real time, it is not what other programs left over. */
async function openCpuClock(location: string): Promise<() => Promise<number>> {
  if (!location.startsWith('postgres')) return async () => cpuMilliseconds(process.pid)
  const client = new pg.Client(location)
  await client.connect()
  client.on('error', () => {})
  // What a connection has used still counts when it is closed.
  const used = new Map<number, number>()
  return async () => {
    const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()')
    for (const pid of [process.pid, ...rows.map((row) => Number(row.pid))]) used.set(pid, cpuMilliseconds(pid))
    return [...used.values()].reduce((sum, milliseconds) => sum + milliseconds, 0)
  }
}
