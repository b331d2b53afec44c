import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { startBareHttpServer, startSolicitationBaseline } from './support/baselines.ts'
import { fetchResponse, fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { type Load, sendLoad } from './support/load.ts'
import { logProgress } from './support/progress.ts'
import { seedOrders } from './support/seed-orders.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeast, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const ORDERS = 100_000
const CONNECTIONS = 32
// Many and short: the speed of a shared machine can double from one second to the next.
const ROUNDS = { warmUps: 5, counted: 65 }
const PAIRS = 7
const READ_ROUNDS = { warmUps: 5, counted: 13 }
const READS_IN_ROUND = 4_000
const WRITES_IN_ROUND = 1_000

// Every call is counted against its quota, and none is refused. A bucket is filled by the millisecond and its burst is
// not multiplied, so a million would still refuse the sixth call within one.
const options = ['--rates', '1000000000']

export async function measureSolicitations(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const data = join(folder.path, 'data')
  const baselineFile = join(folder.path, 'baseline.db')
  logProgress(`Storing ${ORDERS} orders`)
  const orderIds = await prepareData(data)
  copyFileSync(join(data, 'souk.db'), baselineFile)
  return [await measureReads(data, orderIds), await measureWrites(data, baselineFile, orderIds)]
}

/** The first start makes the demo marketplace, whose seller the orders belong to. */
async function prepareData(data: string): Promise<string[]> {
  const souk = await startSouk(data)
  await souk.stop()
  return seedOrders(join(data, 'souk.db'), ORDERS)
}

async function measureReads(data: string, orderIds: string[]): Promise<Figure> {
  const rounds: Awaited<ReturnType<typeof measureReadsOnce>> = []
  for (let pair = 1; pair <= PAIRS; pair++) {
    logProgress(`reads, processes ${pair} of ${PAIRS}`)
    rounds.push(...(await measureReadsOnce(data, orderIds)))
  }
  return atLeast(0.4, 'getSolicitationActionsForOrder, over bare node:http', 'requests/s', rounds)
}

/** Both in processes of their own, so that neither keeps for the whole bench what its compiler happened to decide. */
async function measureReadsOnce(data: string, orderIds: string[]) {
  await using souk = await startSouk(data, options)
  const token = await fetchToken(souk.url)
  const paths = orderIds.map(orderPath)
  await using bare = await startBareHttpServer(await fetchResponse(souk.url, paths[0] as string, token))
  const loadOn = (url: string): Load => {
    const requests = paths.map((path) => writeRequest('GET', url, path, token))
    return {
      url,
      connections: CONNECTIONS,
      count: READS_IN_ROUND,
      expectedStatus: 200,
      nextRequest: () => requests[Math.floor(Math.random() * requests.length)] as Buffer,
    }
  }
  const [toUs, toBareHttp] = [loadOn(souk.url), loadOn(bare.url)]
  // Awaited here: the processes end with this function.
  return await measureRounds(READ_ROUNDS, 'requests/s', {
    ours: () => sendLoad(toUs),
    baseline: () => sendLoad(toBareHttp),
  })
}

async function measureWrites(data: string, baselineFile: string, orderIds: string[]): Promise<Figure> {
  await using souk = await startSouk(data, options)
  await using sqlite = startSolicitationBaseline(baselineFile)
  const token = await fetchToken(souk.url)
  const requests = orderIds.map((orderId) => writeRequest('POST', souk.url, actionPath(orderId), token))
  // An order can be asked about once, so both go through the orders, each in a file of its own.
  let nextRequest = 0
  let nextOrder = 0
  const rounds = await measureRounds(ROUNDS, 'transactions/s', {
    ours: () =>
      sendLoad({
        url: souk.url,
        connections: CONNECTIONS,
        count: WRITES_IN_ROUND,
        expectedStatus: 201,
        nextRequest: () => requests[nextRequest++] as Buffer,
      }),
    baseline: () => {
      const batch = orderIds.slice(nextOrder, nextOrder + WRITES_IN_ROUND)
      nextOrder += WRITES_IN_ROUND
      return sqlite.transactionsPerSecond(batch)
    },
  })
  const what = 'createProductReviewAndSellerFeedbackSolicitation, over bare SQLite'
  return atLeast(0.8, what, 'transactions/s', rounds)
}

const orderPath = (orderId: string) => `/solicitations/v1/orders/${orderId}?marketplaceIds=${demo.marketplaceId}`
const actionPath = (orderId: string) =>
  `/solicitations/v1/orders/${orderId}/solicitations/productReviewAndSellerFeedback?marketplaceIds=${demo.marketplaceId}`
