import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { FEW, readPath, searchPath, writePatch } from './listings.ts'
import { backendMilliseconds, cpuMilliseconds } from './support/cpu-time.ts'
import { fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { median } from './support/median.ts'
import { startSeededServer } from './support/postgres.ts'
import { logProgress } from './support/progress.ts'
import { configureService } from './support/service-process.ts'
import { atMost, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const CONNECTIONS = 32
const WARM_UP = 4_000
const ROUNDS = 5
const IN_ROUND = 1_000
const LOOK_EVERY_MILLISECONDS = 20

/** Microseconds of CPU per request. */
interface Cost {
  serve: number
  worker: number
  postgres: number
}

/** What requests cost on PostgreSQL in CPU, by process: docs/scaling.md computes the number of processes from it. */
export async function measureCapacity(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using server = await startSeededServer({ listings: FEW, products: 100 })
  const { databaseUrl } = server
  const service = await configureService({ databaseUrl, folder: join(folder.path, 'documents'), poolSize: 10 })
  await using serve = await service.startServe()
  await using worker = await service.startWorker()
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { url } = service
  const token = await fetchToken(url)
  const any = () => Math.floor(Math.random() * FEW)
  let patches = 0

  const measure = async (operation: string, nextRequest: () => Buffer): Promise<Cost> => {
    const send = (count: number) =>
      sendLoad({ url, connections: CONNECTIONS, count, expectedStatus: 200, nextRequest }).then(() => untilIdle(client))
    await send(WARM_UP)
    const costs: Cost[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = await readCosts(client, serve.pid, worker.pid)
      await send(IN_ROUND)
      const after = await readCosts(client, serve.pid, worker.pid)
      const each = (name: keyof Cost) => ((after[name] - before[name]) / IN_ROUND) * 1000
      costs.push({ serve: each('serve'), worker: each('worker'), postgres: each('postgres') })
    }
    const cost = (name: keyof Cost) => median(costs.map((one) => one[name]))
    const result = { serve: cost('serve'), worker: cost('worker'), postgres: cost('postgres') }
    const parts = Object.entries(result).map(([name, value]) => `${name} ${value.toFixed(0)} µs`)
    logProgress(`${operation}: ${parts.join(', ')}`)
    return result
  }

  const read = await measure('getListingsItem', () => writeRequest('GET', url, readPath(any()), token))
  const search = await measure('searchListingsItems', () => writeRequest('GET', url, searchPath(), token))
  const patch = await measure('patchListingsItem', () => writePatch(url, token, patches++))
  await client.end()
  const figures = (operation: string, { serve: ours, worker: background, postgres }: Cost): Figure[] => [
    atMost(5_000, `CPU of ${operation} in serve and worker`, 'µs', ours + background),
    atMost(5_000, `CPU of ${operation} in PostgreSQL`, 'µs', postgres),
  ]
  return [
    ...figures('getListingsItem', read),
    ...figures('searchListingsItems', search),
    ...figures('patchListingsItem', patch),
  ]
}

async function readCosts(client: pg.Client, serve: number, worker: number): Promise<Cost> {
  return {
    serve: cpuMilliseconds(serve),
    worker: cpuMilliseconds(worker),
    postgres: await backendMilliseconds(client),
  }
}

/** Patches are processed later. */
async function untilIdle(client: pg.Client): Promise<void> {
  const left =
    'select exists (select 1 from jobs where lease is not null or run_at <= to_char(now(), \'YYYY-MM-DD"T"HH24:MI:SS"Z"\')) as any'
  while ((await client.query(left)).rows[0].any) await sleep(LOOK_EVERY_MILLISECONDS)
}
