import { join } from 'node:path'
import pg from 'pg'
import { demo } from '../src/dev/demo/index.ts'
import { FEW, readPath, writePatch } from './listings.ts'
import { summaryRequest } from './pricing.ts'
import { measureRounds } from './support/alternate.ts'
import { startChildService } from './support/child.ts'
import { fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { startSeededServer } from './support/postgres.ts'
import type { PostgresQuestion } from './support/postgres-baseline.ts'
import { skuOf } from './support/seed-listings.ts'
import { asinOf } from './support/seed-offers.ts'
import { configureService } from './support/service-process.ts'
import { atLeast, atLeastAbsolute, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const PRODUCTS = 1_000
const CONNECTIONS = 32
const POOL_SIZE = 10
// The compiler is done with a route only after tens of thousands of requests.
const ROUNDS = { warmUps: 12, counted: 13 }
const IN_ROUND = 2_000
const COMPUTED_ROUNDS = 12

/** `souk serve` on PostgreSQL, over the bare driver on the same server. The server does not wait for the disk. */
export async function measurePostgres(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using server = await startSeededServer({ listings: FEW, products: PRODUCTS })
  const { databaseUrl } = server
  const service = await configureService({ databaseUrl, folder: join(folder.path, 'documents'), poolSize: POOL_SIZE })
  await using _serve = await service.startServe()
  // Without await, the service would be stopped while it is measured.
  return await measureRequests(service.url, databaseUrl)
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

const MIN_COMPUTED = 1_500

async function measureComputed(databaseUrl: string, askForAll: () => Promise<number>): Promise<number> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    let best = 0
    for (let round = 0; round < COMPUTED_ROUNDS; round++) {
      await client.query('delete from market_summaries')
      best = Math.max(best, await askForAll())
    }
    // Otherwise autovacuum does it while something else is measured.
    await client.query('vacuum market_summaries')
    return best
  } finally {
    await client.end()
  }
}
