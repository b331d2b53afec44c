import { join } from 'node:path'
import pg from 'pg'
import { demo } from '../src/dev/demo/index.ts'
import { cpuMilliseconds, serverMilliseconds } from './support/cpu-time.ts'
import { createFeedClient } from './support/feed-client.ts'
import { writeFeedDocument } from './support/feed-document.ts'
import { median } from './support/median.ts'
import { startSeededServer } from './support/postgres.ts'
import { logProgress } from './support/progress.ts'
import { configureService } from './support/service-process.ts'
import { atLeast, atLeastAbsolute, atMostTimes, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const LISTINGS = 1_000
const PRODUCTS = 100
const POOL_SIZE = 10
const MESSAGES = 25_000
const ROUNDS = { warmUps: 1, counted: 3 }

interface Run {
  perSecond: number
  /** CPU time of the workers and of PostgreSQL for a message. */
  microseconds: number
}

/**
 * Feeds of new listings on PostgreSQL, with two workers: of one seller, which one worker processes, and of two sellers
 * at once. Where workers and the server share few cores, two feeds cannot be faster than one; the CPU time of a message
 * then tells whether they disturb each other.
 */
export async function measurePostgresFeeds(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using server = await startSeededServer({ listings: LISTINGS, products: PRODUCTS })
  const { databaseUrl } = server
  const service = await configureService({ databaseUrl, folder: join(folder.path, 'documents'), poolSize: POOL_SIZE })
  await using _serve = await service.startServe()
  await using one = await service.startWorker()
  await using other = await service.startWorker()
  const observer = new pg.Client(databaseUrl)
  await observer.connect()
  const sellers = [
    { sellerId: demo.sellerId, client: await createFeedClient(service.url) },
    { sellerId: demo.otherSeller.sellerId, client: await createFeedClient(service.url, demo.otherSeller.refreshToken) },
  ]
  const readCpu = async () =>
    cpuMilliseconds(one.pid) + cpuMilliseconds(other.pid) + (await serverMilliseconds(observer))
  let first = LISTINGS

  async function run(feeds: number): Promise<Run> {
    const before = await readCpu()
    const took = await Promise.all(
      sellers.slice(0, feeds).map(async ({ sellerId, client }) => {
        first += MESSAGES
        const { milliseconds, summary } = await client.process(writeFeedDocument(sellerId, MESSAGES, 0, first))
        if (summary.messagesAccepted !== MESSAGES) throw new Error(JSON.stringify(summary))
        return milliseconds
      }),
    )
    const messages = feeds * MESSAGES
    const perSecond = (messages / Math.max(...took)) * 1000
    const microseconds = (((await readCpu()) - before) / messages) * 1000
    logProgress(
      `feeds, ${feeds} at once: ${perSecond.toFixed(0)} messages/s, ${microseconds.toFixed(0)} µs of CPU each`,
    )
    return { perSecond, microseconds }
  }

  const rounds: { alone: Run; together: Run }[] = []
  for (let round = 0; round < ROUNDS.warmUps + ROUNDS.counted; round++) {
    const measured = { alone: await run(1), together: await run(2) }
    if (round >= ROUNDS.warmUps) rounds.push(measured)
  }
  await observer.end()
  const compared = (name: keyof Run) =>
    rounds.map(({ alone, together }) => ({ ours: together[name], baseline: alone[name] }))
  const alone = median(rounds.map((round) => round.alone.perSecond))
  return [
    atLeastAbsolute(4_000, 'new listings in a feed on PostgreSQL, one worker', 'messages/s', alone),
    atLeast(1.8, 'new listings in two feeds and workers, over one', 'messages/s', compared('perSecond')),
    atMostTimes(1.1, 'CPU of a new listing in two feeds and workers, over one', 'µs', compared('microseconds')),
  ]
}
