import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { demo } from '../src/dev/demo/index.ts'
import { FEW, readPath, writePatch } from './listings.ts'
import { summaryRequest } from './pricing.ts'
import { measureRounds } from './support/alternate.ts'
import { startChildService } from './support/child.ts'
import { fetchToken } from './support/demo-client.ts'
import { createFeedClient } from './support/feed-client.ts'
import { writeFeedDocument } from './support/feed-document.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { startSeededServer } from './support/postgres.ts'
import type { PostgresQuestion } from './support/postgres-baseline.ts'
import { logProgress } from './support/progress.ts'
import { skuOf } from './support/seed-listings.ts'
import { asinOf } from './support/seed-offers.ts'
import { configureService } from './support/service-process.ts'
import { atLeast, atLeastAbsolute, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const PRODUCTS = 1_000
const CONNECTIONS = 32
const POOL_SIZE = 10
const ROUNDS = { warmUps: 3, counted: 7 }
const IN_ROUND = 1_000
const COMPUTED_ROUNDS = 2
const FEED_MESSAGES = 2_000
const FEED_ROUNDS = 2

/** `souk serve` and `souk worker` on PostgreSQL, over the bare driver on the same server. The server does not wait for the disk. */
export async function measurePostgres(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using server = await startSeededServer({ listings: FEW, products: PRODUCTS })
  const { databaseUrl } = server
  const documents = join(folder.path, 'documents')
  mkdirSync(documents)
  const service = await configureService({ databaseUrl, folder: documents, poolSize: POOL_SIZE })
  await using _serve = await service.startServe()
  const requests = await measureRequests(service.url, databaseUrl)
  const feeds = await measureFeeds(service)
  return [...requests, ...feeds]
}

async function measureRequests(url: string, databaseUrl: string): Promise<Figure[]> {
  const token = await fetchToken(url)
  const args = [databaseUrl, demo.sellerId, demo.marketplaceId, String(POOL_SIZE)]
  await using bare = startChildService<PostgresQuestion, number>('./postgres-baseline.ts', args)
  const send = (count: number, nextRequest: () => Buffer) =>
    sendLoad({ url, connections: CONNECTIONS, count, expectedStatus: 200, nextRequest })
  const any = (count: number) => Math.floor(Math.random() * count)
  const summary = (index: number) => summaryRequest(url, token, [asinOf(index)])
  const askBare = (kind: PostgresQuestion['kind'], keyOf: () => string) =>
    bare.ask({ kind, keys: Array.from({ length: IN_ROUND }, keyOf) })
  const reads = await measureRounds(ROUNDS, 'requests/s', {
    ours: () => send(IN_ROUND, () => writeRequest('GET', url, readPath(any(FEW)), token)),
    baseline: () => askBare('listing', () => skuOf(any(FEW))),
  })
  let next = 0
  const patches = await measureRounds(ROUNDS, 'patches/s', {
    ours: () => send(IN_ROUND, () => writePatch(url, token, next++)),
    baseline: () => askBare('patch', () => skuOf(next++ % FEW)),
  })
  const computed = await measureComputed(databaseUrl, () => {
    let index = 0
    return send(PRODUCTS, () => summary(index++))
  })
  const summaries = await measureRounds(ROUNDS, 'requests/s', {
    ours: () => send(IN_ROUND, () => summary(any(PRODUCTS))),
    baseline: () => askBare('summary', () => asinOf(any(PRODUCTS))),
  })
  return [
    atLeast(0.35, 'getListingsItem on PostgreSQL, over a bare select', 'requests/s', reads),
    atLeast(0.5, 'patchListingsItem on PostgreSQL, over a serializable select and update', 'patches/s', patches),
    atLeast(0.35, 'getCompetitiveSummary on PostgreSQL, stored, over a bare select', 'requests/s', summaries),
    atLeastAbsolute(MIN_COMPUTED, 'getCompetitiveSummary on PostgreSQL, computed anew', 'requests/s', computed),
  ]
}

const MIN_COMPUTED = 300

async function measureComputed(databaseUrl: string, askForAll: () => Promise<number>): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    let best = 0
    for (let round = 0; round < COMPUTED_ROUNDS; round++) {
      await client.query('delete from market_summaries')
      best = Math.max(best, await askForAll())
    }
    return best
  } finally {
    await client.end()
  }
}

type Service = Awaited<ReturnType<typeof configureService>>

/** Feeds of new listings: two sellers at once, because the feeds of one seller wait for each other. */
async function measureFeeds(service: Service): Promise<Figure[]> {
  const sellers = [
    { sellerId: demo.sellerId, client: await createFeedClient(service.url) },
    { sellerId: demo.otherSeller.sellerId, client: await createFeedClient(service.url, demo.otherSeller.refreshToken) },
  ]
  let first = FEW
  const run = async (workers: number) => {
    const took = await Promise.all(
      sellers.slice(0, workers).map(async ({ sellerId, client }) => {
        first += FEED_MESSAGES
        const { milliseconds, summary } = await client.process(writeFeedDocument(sellerId, FEED_MESSAGES, 0, first))
        if (summary.messagesAccepted !== FEED_MESSAGES) throw new Error(JSON.stringify(summary))
        return milliseconds
      }),
    )
    const speed = ((workers * FEED_MESSAGES) / Math.max(...took)) * 1000
    logProgress(`feeds, ${workers} at once: ${speed.toFixed(0)} messages/s`)
    return speed
  }
  const best = async (workers: number) => {
    const speeds: number[] = []
    for (let round = 0; round <= FEED_ROUNDS; round++) speeds.push(await run(workers))
    return Math.max(...speeds.slice(1))
  }
  await using _first = await service.startWorker()
  const alone = await best(1)
  await using _second = await service.startWorker()
  const together = await best(2)
  return [
    atLeastAbsolute(4_000, 'new listings in a feed on PostgreSQL, one worker', 'messages/s', alone),
    atLeast(1.8, 'new listings in two feeds and workers, over one', 'messages/s', [
      { ours: together, baseline: alone },
    ]),
  ]
}
