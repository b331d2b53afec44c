import { join } from 'node:path'
import { startStandIn } from '../src/stand-in/stand-in.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { measureRounds } from './support/alternate.ts'
import { type ChildService, startChildService } from './support/child.ts'
import { fillPostgres, fillSqlite } from './support/fill-tables.ts'
import { growthRows } from './support/growth-rows.ts'
import { type GrowthQuestion, OPERATIONS } from './support/growth-service.ts'
import { logProgress } from './support/progress.ts'
import { subscribeQueue } from './support/queue-client.ts'
import { atMostTimes, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

export interface GrowthOptions {
  /** Rows in each table: few and many. */
  sizes: readonly [number, number]
  databases: readonly string[]
}

const ROUNDS = { warmUps: 3, counted: 11 }
const START_ROUNDS = { warmUps: 1, counted: 5 }
const IN_ROUND = 50
const MAX_RATIO = 1.2

type Stage = ChildService<GrowthQuestion, number>

/** Whether the cost of an operation grows with what is stored: CPU time of the service and of the database together. */
export async function measureGrowth({ sizes, databases }: GrowthOptions): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const database of databases) {
    figures.push(...(await (database === 'postgres' ? onPostgres(sizes) : onSqlite(sizes))))
  }
  return figures
}

async function onSqlite(sizes: readonly [number, number]): Promise<Figure[]> {
  using folder = makeTempFolder()
  const files = sizes.map((size) => join(folder.path, `${size}.db`)) as [string, string]
  for (const [index, file] of files.entries()) {
    await fill(file, sizes[index] as number, async (rows) => fillSqlite(file, sizes[index] as number, rows))
  }
  return await measure('SQLite', files, sizes)
}

async function onPostgres(sizes: readonly [number, number]): Promise<Figure[]> {
  const server = await startPostgres()
  // An interrupted bench must not leave the server behind.
  const end = () => void server.crash()
  process.once('exit', end)
  try {
    const urls = sizes.map((size) => `${server.url}/growth_${size}`) as [string, string]
    for (const [index, url] of urls.entries()) {
      await server.createDatabase(`growth_${sizes[index]}`)
      await fill(url, sizes[index] as number, (rows) => fillPostgres(url, sizes[index] as number, rows))
    }
    return await measure('PostgreSQL', urls, sizes)
  } finally {
    process.off('exit', end)
    await server.stop()
  }
}

/** The first start creates the demo marketplace, whose rows are copied. */
async function fill(
  database: string,
  size: number,
  write: (rows: ReturnType<typeof growthRows>) => Promise<number>,
): Promise<void> {
  const souk = await startStandIn({ database, rates: 'off' })
  await subscribeQueue(souk.url, 'growth')
  await souk.idle()
  await souk.stop()
  const startedAt = performance.now()
  const rows = await write(growthRows(size, new Date()))
  logProgress(`Stored ${rows} rows in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}

async function measure(
  name: string,
  databases: readonly [string, string],
  sizes: readonly [number, number],
): Promise<Figure[]> {
  const [few, many] = databases.map(
    (database, index) => (): Stage => startChildService('./growth-service.ts', [database, String(sizes[index])]),
  ) as [() => Stage, () => Stage]
  const compared = `${sizes[1].toLocaleString('en')} rows over ${sizes[0].toLocaleString('en')}, ${name}`
  const starts = await measureRounds(START_ROUNDS, 'ms', {
    ours: () => timeStart(many()),
    baseline: () => timeStart(few()),
  })
  const figures = [atMostTimes(MAX_RATIO, `start, ${compared}`, 'ms', starts)]
  await using small = few()
  await using large = many()
  for (const operation of OPERATIONS) {
    const ask = (stage: Stage) => () => stage.ask({ do: 'operation', operation, count: IN_ROUND })
    const rounds = await measureRounds(ROUNDS, 'µs', { ours: ask(large), baseline: ask(small) })
    figures.push(atMostTimes(MAX_RATIO, `${operation}, ${compared}`, 'µs', rounds))
  }
  const memory = [{ ours: await large.ask({ do: 'memory' }), baseline: await small.ask({ do: 'memory' }) }]
  figures.push(atMostTimes(MAX_RATIO, `memory, ${compared}`, 'MB', memory))
  await Promise.all([small, large].map((stage) => stage.ask({ do: 'stop' })))
  return figures
}

async function timeStart(stage: Stage): Promise<number> {
  await using started = stage
  const milliseconds = await started.ask({ do: 'start' })
  await started.ask({ do: 'stop' })
  return milliseconds
}
