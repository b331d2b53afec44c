import { join } from 'node:path'
import pg from 'pg'
import { startStandIn } from '../src/stand-in/stand-in.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { measureRounds } from './support/alternate.ts'
import { type ChildService, startChildService } from './support/child.ts'
import { cpuMilliseconds, serverMilliseconds } from './support/cpu-time.ts'
import { type Filling, fillPostgres, fillSqlite, type Numbers } from './support/fill-tables.ts'
import type { BacklogQuestion } from './support/growth-relay.ts'
import { growthEvents, growthRows } from './support/growth-rows.ts'
import { type GrowthQuestion, OPERATIONS } from './support/growth-service.ts'
import { logProgress } from './support/progress.ts'
import { subscribeQueue } from './support/queue-client.ts'
import { atMostTimes, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

export interface GrowthOptions {
  /** Rows in each table: few and many. */
  sizes: readonly [number, number]
  databases: readonly string[]
}

const ROUNDS = { warmUps: 3, counted: 11 }
const START_ROUNDS = { warmUps: 1, counted: 5 }
// The API does not return orders that are older than two years.
const SECONDS_OF_ORDERS = 300 * 24 * 60 * 60
const MAX_RATIO = 1.2

// Tables are filled faster. An index that is created is not logged at all, and whole pages never are.
const POSTGRES_FLAGS = ['wal_level=minimal', 'max_wal_senders=0', 'full_page_writes=off', 'max_wal_size=4GB'].flatMap(
  (setting) => ['-c', setting],
)

type Stage = ChildService<GrowthQuestion, number>

/** Whether the cost of an operation grows with what is stored: CPU time of the service and of the database together. */
export async function measureGrowth({ sizes, databases }: GrowthOptions): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const database of databases) {
    figures.push(...(await (database === 'postgres' ? onPostgres(sizes) : onSqlite(sizes))))
  }
  return figures
}

interface FilledDatabase {
  location: string
  count: number
  fill(fillings: readonly Filling[]): Promise<void>
}

async function onSqlite(sizes: readonly [number, number]): Promise<Figure[]> {
  using folder = makeTempFolder()
  const open = async (count: number) => {
    const file = join(folder.path, `${count}.db`)
    const cpu = async () => cpuMilliseconds(process.pid)
    return createMarketplace(file, count, cpu, async (numbers, fillings) => fillSqlite(file, numbers, fillings))
  }
  return await measure('SQLite', await open(sizes[0]), await open(sizes[1]))
}

async function onPostgres(sizes: readonly [number, number]): Promise<Figure[]> {
  const server = await startPostgres(POSTGRES_FLAGS)
  // An interrupted bench must not leave the server behind.
  const end = () => void server.crash()
  process.once('exit', end)
  const clock = await openServerClock(`${server.url}/postgres`)
  const open = async (count: number) => {
    const url = `${server.url}/growth_${count}`
    await server.createDatabase(`growth_${count}`)
    return createMarketplace(url, count, clock.read, (numbers, fillings) => fillPostgres(url, numbers, fillings))
  }
  try {
    return await measure('PostgreSQL', await open(sizes[0]), await open(sizes[1]))
  } finally {
    process.off('exit', end)
    await clock.close()
    await server.stop()
  }
}

/** The first start creates the demo marketplace, whose rows are copied. */
async function createMarketplace(
  location: string,
  count: number,
  cpu: () => Promise<number>,
  write: (numbers: Numbers, fillings: readonly Filling[]) => Promise<number>,
): Promise<FilledDatabase> {
  const souk = await startStandIn({ database: location, rates: 'off' })
  await subscribeQueue(souk.url, 'growth')
  await souk.idle()
  await souk.stop()
  const numbers = { count, now: new Date(), secondsBetween: SECONDS_OF_ORDERS / count }
  const fill = async (fillings: readonly Filling[]) => {
    const [startedAt, before] = [performance.now(), await cpu()]
    const rows = await write(numbers, fillings)
    const [took, used] = [performance.now() - startedAt, (await cpu()) - before]
    logProgress(`Stored ${rows} rows in ${(took / 1000).toFixed(0)} s, with ${(used / 1000).toFixed(0)} s of CPU time`)
  }
  await fill(growthRows)
  return { location, count, fill }
}

/** The CPU time of all processes of the server. */
async function openServerClock(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  return { read: () => serverMilliseconds(client), close: () => client.end() }
}

async function measure(name: string, few: FilledDatabase, many: FilledDatabase): Promise<Figure[]> {
  const compared = `${many.count.toLocaleString('en')} rows over ${few.count.toLocaleString('en')}, ${name}`
  const figures = await measureService(compared, few, many)
  return [...figures, await measureBacklog(compared, few, many)]
}

async function measureService(compared: string, few: FilledDatabase, many: FilledDatabase): Promise<Figure[]> {
  const start = ({ location, count }: FilledDatabase): Stage =>
    startChildService('./growth-service.ts', [location, String(count)])
  const starts = await measureRounds(START_ROUNDS, 'ms', {
    ours: () => timeStart(start(many)),
    baseline: () => timeStart(start(few)),
  })
  const figures = [atMostTimes(MAX_RATIO, `start, ${compared}`, 'ms', starts)]
  await using small = start(few)
  await using large = start(many)
  const memory: Round[] = []
  for (const operation of OPERATIONS) {
    logProgress(operation)
    const ask = (stage: Stage) => () => stage.ask({ do: 'operation', operation })
    const rounds = await measureRounds(ROUNDS, 'µs', { ours: ask(large), baseline: ask(small) })
    figures.push(atMostTimes(MAX_RATIO, `${operation}, ${compared}`, 'µs', rounds))
    memory.push({ ours: await large.ask({ do: 'memory' }), baseline: await small.ask({ do: 'memory' }) })
  }
  figures.push(atMostTimes(MAX_RATIO, `memory, ${compared}`, 'MB', memory))
  await Promise.all([small, large].map((stage) => stage.ask({ do: 'stop' })))
  return figures
}

/** Events that wait for a relay: they come last, because the relay of a service would take the first ones at once. */
async function measureBacklog(compared: string, few: FilledDatabase, many: FilledDatabase): Promise<Figure> {
  for (const database of [few, many]) await database.fill(growthEvents)
  const start = ({ location }: FilledDatabase) =>
    startChildService<BacklogQuestion, number>('./growth-relay.ts', [location])
  await using small = start(few)
  await using large = start(many)
  const operation = 'fan-out of the oldest events'
  logProgress(operation)
  const rounds = await measureRounds(ROUNDS, 'µs', {
    ours: () => large.ask({ do: 'round' }),
    baseline: () => small.ask({ do: 'round' }),
  })
  await Promise.all([small, large].map((stage) => stage.ask({ do: 'stop' })))
  return atMostTimes(MAX_RATIO, `${operation}, ${compared}`, 'µs', rounds)
}

async function timeStart(stage: Stage): Promise<number> {
  await using started = stage
  const milliseconds = await started.ask({ do: 'start' })
  await started.ask({ do: 'stop' })
  return milliseconds
}
