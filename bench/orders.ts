import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { startBareHttpServer, startOrderBaseline } from './support/baselines.ts'
import { fetchResponse, fetchToken } from './support/demo-client.ts'
import { fillOrders, orderIdOf } from './support/fill-orders.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { logProgress } from './support/progress.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeast, atMostTimes, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const MANY = 1_000_000
const FEW = 10_000
const SHIPPABLE = 60_000
const CONNECTIONS = 32
const ROUNDS = { warmUps: 5, counted: 31 }
const READS_IN_ROUND = 4_000
const PAGES_IN_ROUND = 60
const WRITES_IN_ROUND = 1_000
const PAGE_SIZE = 10
const DEEP_PAGE = 50

// Every call is counted against its quota, and none is refused.
const options = ['--rates', '1000000000']
const PATH = '/orders/v0/orders'

export async function measureOrders(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const [many, few, writes] = ['many', 'few', 'writes'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ]
  await prepareData(many, MANY)
  await prepareData(few, FEW)
  await prepareData(writes, SHIPPABLE, 1)
  const baselineFile = join(folder.path, 'baseline.db')
  copyFileSync(join(writes, 'souk.db'), baselineFile)
  return [
    await measureReads(many),
    await measureDepth(many),
    ...(await measureSize(many, few)),
    await measureWrites(writes, baselineFile),
  ]
}

/** The first start creates the demo marketplace, whose seller the orders belong to. */
async function prepareData(data: string, count: number, unshippedEvery?: number): Promise<void> {
  logProgress(`Storing ${count} orders`)
  const souk = await startSouk(data)
  await souk.stop()
  fillOrders(join(data, 'souk.db'), count, unshippedEvery)
}

const randomOrder = (count: number) => `${PATH}/${orderIdOf(Math.floor(Math.random() * count))}`

const readOrders = (url: string, token: string, count: number) =>
  sendLoad({
    url,
    connections: CONNECTIONS,
    count: READS_IN_ROUND,
    expectedStatus: 200,
    nextRequest: () => writeRequest('GET', url, randomOrder(count), token),
  })

async function measureReads(data: string): Promise<Figure> {
  await using souk = await startSouk(data, options)
  const token = await fetchToken(souk.url)
  await using bare = await startBareHttpServer(await fetchResponse(souk.url, randomOrder(MANY), token))
  const rounds = await measureRounds(ROUNDS, 'requests/s', {
    ours: () => readOrders(souk.url, token, MANY),
    baseline: () => readOrders(bare.url, token, MANY),
  })
  return atLeast(0.4, 'getOrder of 1,000,000 orders, over bare node:http', 'requests/s', rounds)
}

const listPath = (more = '') => {
  const filter = `MarketplaceIds=${demo.marketplaceId}&CreatedAfter=2025-06-01&OrderStatuses=Unshipped&FulfillmentChannels=MFN`
  return `${PATH}?${filter}&MaxResultsPerPage=${PAGE_SIZE}${more}`
}

/** The time of a page, as its rate. */
const readPages = (url: string, path: string, token: string) =>
  sendLoad({
    url,
    connections: 1,
    count: PAGES_IN_ROUND,
    expectedStatus: 200,
    nextRequest: () => writeRequest('GET', url, path, token),
  })

async function measureDepth(data: string): Promise<Figure> {
  await using souk = await startSouk(data, options)
  const token = await fetchToken(souk.url)
  let deep = listPath()
  for (let page = 1; page < DEEP_PAGE; page++) {
    const { body } = await fetchResponse(souk.url, deep, token)
    deep = listPath(`&NextToken=${encodeURIComponent(JSON.parse(body).payload.NextToken)}`)
  }
  // Rates, so the first page is the one to compare with: time of the fiftieth over time of the first.
  const rounds = await measureRounds(ROUNDS, 'pages/s', {
    ours: () => readPages(souk.url, listPath(), token),
    baseline: () => readPages(souk.url, deep, token),
  })
  return atMostTimes(1.3, 'getOrders, first page over page 50 of a filter', 'pages/s', rounds)
}

async function measureSize(many: string, few: string): Promise<Figure[]> {
  await using large = await startSouk(many, options)
  await using small = await startSouk(few, options)
  const [largeToken, smallToken] = [await fetchToken(large.url), await fetchToken(small.url)]
  const orders = await measureRounds(ROUNDS, 'requests/s', {
    ours: () => readOrders(small.url, smallToken, FEW),
    baseline: () => readOrders(large.url, largeToken, MANY),
  })
  const pages = await measureRounds(ROUNDS, 'pages/s', {
    ours: () => readPages(small.url, listPath(), smallToken),
    baseline: () => readPages(large.url, listPath(), largeToken),
  })
  return [
    atMostTimes(1.3, 'getOrder, 10,000 orders over 1,000,000', 'requests/s', orders),
    atMostTimes(1.3, 'getOrders, 10,000 orders over 1,000,000', 'pages/s', pages),
  ]
}

async function measureWrites(data: string, baselineFile: string): Promise<Figure> {
  await using souk = await startSouk(data, options)
  await using sqlite = startOrderBaseline(baselineFile)
  const token = await fetchToken(souk.url)
  const { body } = await fetchResponse(souk.url, `${PATH}/${orderIdOf(0)}/orderItems`, token)
  const [{ OrderItemId: orderItemId, QuantityOrdered: quantity }] = JSON.parse(body).payload.OrderItems
  const shipment = JSON.stringify({
    marketplaceId: demo.marketplaceId,
    packageDetail: {
      packageReferenceId: '1',
      carrierCode: 'UPS',
      trackingNumber: '1Z50',
      shipDate: new Date(Date.now() - 60_000).toISOString(),
      orderItems: [{ orderItemId, quantity }],
    },
  })
  const confirm = (index: number) =>
    writeRequest('POST', souk.url, `${PATH}/${orderIdOf(index)}/shipmentConfirmation`, token, shipment)
  // An order is shipped once, so both go through the orders, each in a file of its own.
  let next = 0
  let nextOfBaseline = 0
  const rounds = await measureRounds(ROUNDS, 'transactions/s', {
    ours: () =>
      sendLoad({
        url: souk.url,
        connections: CONNECTIONS,
        count: WRITES_IN_ROUND,
        expectedStatus: 204,
        nextRequest: () => confirm(next++),
      }),
    baseline: () => {
      const start = nextOfBaseline
      nextOfBaseline += WRITES_IN_ROUND
      return sqlite.transactionsPerSecond(
        Array.from({ length: WRITES_IN_ROUND }, (_, index) => orderIdOf(start + index)),
      )
    },
  })
  return atLeast(0.8, 'confirmShipment, over bare SQLite', 'transactions/s', rounds)
}
