import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { startReportBaseline } from './support/baselines.ts'
import { compareLatencies } from './support/latencies.ts'
import { logProgress } from './support/progress.ts'
import { createReportClient, hashOfGzip, type MadeReport, type ReportClient } from './support/report-client.ts'
import { residentMegabytes, watchMemory } from './support/resident-memory.ts'
import { type SeededReturns, seedReturns } from './support/seed-returns.ts'
import { type SoukProcess, startSouk } from './support/souk-process.ts'
import { atLeast, atMost, atMostTimes, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const ROWS = 1_000_000
const TENTH = ROWS / 10
const FEW_ROWS = 10_000
const HARDLY_ANY_ROWS = 10
const ROUNDS = { warmUps: 0, counted: 3 }
const IDLE_MILLISECONDS = 2_000
const PROBE_EVERY_MILLISECONDS = 5
const IDLE_PROBES = 1_000
const WARM_UP_LOOKS = 2_000

const options = ['--rates', '1000000000', '--delay', '0']

export async function measureReports(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const data = join(folder.path, 'data')
  logProgress(`Storing ${ROWS} returns`)
  const returns = await prepareData(data)
  const fewPeak = await measureFewRows(data, returns)
  await using souk = await startSouk(data, options)
  const { client, idle, idleBeforeThread } = await wakeWorker(souk, returns)
  const { rounds, peak } = await measureManyRows(souk, client, returns, data, join(folder.path, 'baseline.gz'))
  const latencies = await measureLatencies(client, returns)
  const speed = (milliseconds: number) => (ROWS / milliseconds) * 1000
  return [
    atLeast(
      0.5,
      'a report of 1,000,000 returns, over a bare SQLite cursor through zlib',
      'rows/s',
      rounds.map(({ ours, baseline }) => ({ ours: speed(ours), baseline: speed(baseline) })),
    ),
    atMostTimes(
      11,
      'time of 1,000,000 rows, over that of 100,000',
      'ms',
      rounds.map(({ ours, tenthBefore, tenthAfter }) => ({ ours, baseline: (tenthBefore + tenthAfter) / 2 })),
    ),
    atMost(150, 'memory above idle, 1,000,000 rows', 'MB', peak - idle),
    atMost(150, 'memory above idle before there is a worker, 1,000,000 rows', 'MB', peak - idleBeforeThread),
    atMostTimes(1.3, 'memory of the process, 1,000,000 rows, over 10,000', 'MB', [{ ours: peak, baseline: fewPeak }]),
    atMostTimes(2, 'getReport beside 1,000,000 rows, over idle: p50', 'µs', [latencies.p50]),
    atMostTimes(10, 'getReport beside 1,000,000 rows, over idle: p99', 'µs', [latencies.p99]),
  ]
}

/** The first start makes the demo marketplace, whose seller the returns belong to. */
async function prepareData(data: string): Promise<SeededReturns> {
  const souk = await startSouk(data)
  await souk.stop()
  return seedReturns(join(data, 'souk.db'), ROWS)
}

/**
 * The worker is a thread that starts with the first job, and is there for good then. Answering takes memory as well, for
 * the first thousand requests or so: that is not what a report takes.
 */
async function wakeWorker(souk: SoukProcess, returns: SeededReturns) {
  const client = await createReportClient(souk.url)
  await sleep(IDLE_MILLISECONDS)
  const idleBeforeThread = residentMegabytes(souk.pid)
  const { reportId } = await client.makeReport(returns.window(HARDLY_ANY_ROWS))
  await client.lookAt(reportId, 1, WARM_UP_LOOKS)
  await sleep(IDLE_MILLISECONDS)
  const idle = residentMegabytes(souk.pid)
  logProgress(`idle: ${idleBeforeThread.toFixed(0)} MB, ${idle.toFixed(0)} MB with a worker`)
  return { client, idle, idleBeforeThread }
}

/** In a process of its own: one that has made a large report keeps some of the memory. */
async function measureFewRows(data: string, returns: SeededReturns): Promise<number> {
  await using souk = await startSouk(data, options)
  const { client, idle } = await wakeWorker(souk, returns)
  const { peak } = await watchMemory(souk.pid, () => client.makeReport(returns.window(FEW_ROWS)))
  logProgress(`10,000 rows: ${(peak - idle).toFixed(0)} MB above idle`)
  return peak
}

async function measureManyRows(
  souk: SoukProcess,
  client: ReportClient,
  returns: SeededReturns,
  data: string,
  target: string,
) {
  await using cursor = startReportBaseline(join(data, 'souk.db'), demo.sellerId, demo.marketplaceId)
  let report: MadeReport | undefined
  const timeTenth = async () => (await client.makeReport(returns.window(TENTH))).milliseconds
  const measure = () =>
    measureRounds(ROUNDS, 'ms', {
      tenthBefore: timeTenth,
      ours: async () => {
        report = await client.makeReport(returns.window(ROWS))
        return report.milliseconds
      },
      tenthAfter: timeTenth,
      baseline: async () => {
        const { rows, milliseconds } = await cursor.ask({ ...returns.window(ROWS), target })
        if (rows !== ROWS) throw new Error(`There are ${rows} returns instead of ${ROWS}`)
        return milliseconds
      },
    })
  const { peak, result: rounds } = await watchMemory(souk.pid, measure)
  if (!report) throw new Error('Nothing was measured')
  const [ours, baseline] = [await client.hashOfText(report.documentId), await hashOfGzip(createReadStream(target))]
  if (ours !== baseline) throw new Error('The baseline writes another text than we do')
  return { rounds, peak }
}

async function measureLatencies(client: ReportClient, returns: SeededReturns) {
  const { reportId } = await client.makeReport(returns.window(HARDLY_ANY_ROWS))
  return compareLatencies(
    'getReport',
    () => client.lookAt(reportId, PROBE_EVERY_MILLISECONDS, IDLE_PROBES),
    async () => (await client.makeReport(returns.window(ROWS), PROBE_EVERY_MILLISECONDS)).lookMilliseconds,
  )
}
