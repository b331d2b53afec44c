import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { demo } from '../src/dev/demo/index.ts'
import { measureFanOut } from './fan-out.ts'
import { FEW, writePatch } from './listings.ts'
import { measureRounds } from './support/alternate.ts'
import { fetchToken } from './support/demo-client.ts'
import { sendLoad } from './support/load.ts'
import { median } from './support/median.ts'
import { logProgress } from './support/progress.ts'
import { countMessages, emptyQueue, startQueue, subscribeQueue } from './support/queue-client.ts'
import { watchMemory } from './support/resident-memory.ts'
import { seedEvents } from './support/seed-events.ts'
import { seedListings } from './support/seed-listings.ts'
import { type SoukProcess, startSouk } from './support/souk-process.ts'
import { atLeast, atLeastAbsolute, atMostTimes, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const EVENTS = 20_000
// Memory grows until the collector has seen what it needs, and should not grow after that.
const MORE_EVENTS = 80_000
const ROUNDS = 3
const CONNECTIONS = 32
const PATCHES_IN_ROUND = 1_000
const PATCH_ROUNDS = { warmUps: 5, counted: 45 }
const options = ['--rates', '1000000000']

export async function measureNotifications(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const { rates, memory } = await measureRelay(folder.path)
  return [
    atLeastAbsolute(2_000, `notifications delivered to the local queue, of ${EVENTS}`, 'events/s', median(rates)),
    atMostTimes(1.3, `memory while ${MORE_EVENTS} events are relayed, over ${EVENTS}`, 'MB', memory),
    await measureAppend(folder.path),
    ...(await measureFanOut(folder.path)),
  ]
}

async function measureRelay(folder: string) {
  const rates: number[] = []
  const memory: Round[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const local = await relay(join(folder, `local-${round}`), EVENTS)
    // The queue runs in another process: an in-process queue would keep unreceived messages in the measured memory.
    await using queue = await startQueue()
    const few = await relay(join(folder, `few-${round}`), EVENTS, queue.url)
    const many = await relay(join(folder, `many-${round}`), MORE_EVENTS, queue.url)
    logProgress(
      `round ${round} of ${ROUNDS}: ${local.rate.toFixed(0)} events/s, ${few.peak.toFixed(0)} and ${many.peak.toFixed(0)} MB`,
    )
    rates.push(local.rate)
    memory.push({ ours: many.peak, baseline: few.peak })
  }
  return { rates, memory }
}

/** Measures the events per second from the table to the queue, and the memory used. */
async function relay(data: string, count: number, elsewhere?: string): Promise<{ rate: number; peak: number }> {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  await using souk = await startSouk(data, options, elsewhere ? { ...credentials, SOUK_SQS_ENDPOINT: elsewhere } : {})
  const queueUrl = elsewhere ?? souk.queueUrl
  const wake = await subscribeQueue(souk.url, 'bench')
  if (elsewhere) await emptyQueue(elsewhere, 'bench')
  seedEvents(join(data, 'souk.db'), count)
  const startedAt = performance.now()
  const { peak } = await watchMemory(souk.pid, async () => {
    await wake()
    // The one that wakes the relay is a message, too.
    while ((await countMessages(queueUrl, 'bench')) < count + 1) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  return { rate: (count / (performance.now() - startedAt)) * 1000, peak }
}

/** Compares patches with events to patches whose events a trigger discards. */
async function measureAppend(folder: string): Promise<Figure> {
  const [withEvents, withoutEvents] = [join(folder, 'with-events'), join(folder, 'without-events')]
  await (await startSouk(withEvents)).stop()
  seedListings(join(withEvents, 'souk.db'), FEW)
  mkdirSync(withoutEvents)
  copyFileSync(join(withEvents, 'souk.db'), join(withoutEvents, 'souk.db'))
  const sqlite = new Sqlite(join(withoutEvents, 'souk.db'))
  sqlite.exec('create trigger no_events before insert on events begin select raise(ignore); end')
  sqlite.close()
  await using ours = await startSouk(withEvents, options)
  await using baseline = await startSouk(withoutEvents, options)
  const patches = async (souk: SoukProcess) => {
    const token = await fetchToken(souk.url)
    let next = 0
    return () =>
      sendLoad({
        url: souk.url,
        connections: CONNECTIONS,
        count: PATCHES_IN_ROUND,
        expectedStatus: 200,
        nextRequest: () => writePatch(souk.url, token, next++),
      })
  }
  const rounds = await measureRounds(PATCH_ROUNDS, 'patches/s', {
    ours: await patches(ours),
    baseline: await patches(baseline),
  })
  return atLeast(0.9, `patchListingsItem in ${demo.marketplaceId}, over the same without events`, 'patches/s', rounds)
}
