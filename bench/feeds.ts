import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { startFeedBaseline } from './support/baselines.ts'
import { createFeedClient, type FeedClient } from './support/feed-client.ts'
import { writeFeedDocument, writePatchDocument } from './support/feed-document.ts'
import { compareLatencies } from './support/latencies.ts'
import { median } from './support/median.ts'
import { logProgress } from './support/progress.ts'
import { residentMegabytes, watchMemory } from './support/resident-memory.ts'
import { seedListings } from './support/seed-listings.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeast, atLeastAbsolute, atMost, atMostTimes, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const MESSAGES = 25_000
const FEW_MESSAGES = 10
const ROUNDS = { warmUps: 1, counted: 4 }
const IDLE_MILLISECONDS = 2_000
const PROBE_EVERY_MILLISECONDS = 5
const IDLE_PROBES = 1_000
const WARM_UP_LOOKS = 2_000

const options = ['--rates', '1000000000', '--delay', '0']

export async function measureFeeds(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const data = join(folder.path, 'data')
  const baselineFile = join(folder.path, 'baseline.db')
  logProgress(`Storing ${MESSAGES} listings`)
  await (await startSouk(data)).stop()
  seedListings(join(data, 'souk.db'), MESSAGES)
  copyFileSync(join(data, 'souk.db'), baselineFile)

  await using souk = await startSouk(data, options)
  await using baseline = startFeedBaseline(baselineFile, demo.sellerId, demo.marketplaceId)
  const client = await createFeedClient(souk.url)
  const idle = await wakeWorker(client, souk.pid)
  let round = 0
  const measure = (write: (round: number) => string) =>
    measureRounds(ROUNDS, 'messages/s', {
      ours: async () => {
        const { milliseconds, summary } = await client.process(write(++round))
        if (summary.messagesAccepted !== MESSAGES) throw new Error(`Not all were accepted: ${JSON.stringify(summary)}`)
        return (MESSAGES / milliseconds) * 1000
      },
      baseline: async () => {
        const document = join(folder.path, 'document.json')
        writeFileSync(document, write(round))
        return (MESSAGES / (await baseline.ask({ document })).milliseconds) * 1000
      },
    })
  const { peak, result: updates } = await watchMemory(souk.pid, () =>
    measure((round) => writeFeedDocument(demo.sellerId, MESSAGES, round)),
  )
  const patches = await measure((round) => writePatchDocument(demo.sellerId, MESSAGES, round))
  const latencies = await measureLatencies(client, ++round)
  // The last ones, because they make the database larger. Each round creates other listings.
  const added = await measure((round) => writeFeedDocument(demo.sellerId, MESSAGES, round, MESSAGES * round))
  const ownSpeed = median(updates.map(({ ours }) => ours))
  return [
    atLeast(0.25, '25,000 messages, over JSON.parse and upserts in one transaction', 'messages/s', updates),
    atLeastAbsolute(8_000, '25,000 messages, createFeed to DONE', 'messages/s', ownSpeed),
    atLeast(0.35, '25,000 changes of price and quantity, over the same', 'messages/s', patches),
    atLeast(0.25, '25,000 new listings, over the same', 'messages/s', added),
    atMost(200, 'memory above idle, 25,000 messages', 'MB', peak - idle),
    atMostTimes(2, 'getFeed beside 25,000 messages, over idle: p50', 'µs', [latencies.p50]),
    atMostTimes(10, 'getFeed beside 25,000 messages, over idle: p99', 'µs', [latencies.p99]),
  ]
}

/** The worker is a thread that starts with the first job, and is there for good then. */
async function wakeWorker(client: FeedClient, pid: number): Promise<number> {
  const { feedId } = await client.process(writeFeedDocument(demo.sellerId, FEW_MESSAGES, 0))
  await client.lookAt(feedId, 1, WARM_UP_LOOKS)
  await sleep(IDLE_MILLISECONDS)
  const idle = residentMegabytes(pid)
  logProgress(`idle: ${idle.toFixed(0)} MB with a worker`)
  return idle
}

async function measureLatencies(client: FeedClient, round: number) {
  const { feedId } = await client.process(writeFeedDocument(demo.sellerId, FEW_MESSAGES, round))
  const document = writeFeedDocument(demo.sellerId, MESSAGES, round)
  return compareLatencies(
    'getFeed',
    () => client.lookAt(feedId, PROBE_EVERY_MILLISECONDS, IDLE_PROBES),
    async () => (await client.process(document, PROBE_EVERY_MILLISECONDS)).lookMilliseconds,
  )
}
