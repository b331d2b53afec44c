import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FEW, readPath } from './listings.ts'
import { measureRounds } from './support/alternate.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { startSeededServer } from './support/postgres.ts'
import { configureService } from './support/service-process.ts'
import { atLeast, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const PROCESSES = 4
const CONNECTIONS = 32
const ROUNDS = { warmUps: 4, counted: 9 }
const REQUESTS_IN_ROUND = 4_000

/**
 * What a response costs when several processes serve one port, over one process, and over as many processes with a port each:
 * processes that share a processor slow each other down, whoever deals out the connections. The database is not counted.
 */
export async function measureProcesses(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using server = await startSeededServer({ listings: FEW, products: 1 })
  await using processes = new AsyncDisposableStack()
  const { databaseUrl } = server
  const start = async (name: string, args: readonly string[] = []) => {
    const service = await configureService({ databaseUrl, folder: join(folder.path, name), poolSize: 10 })
    const { pid } = processes.use(await service.startServe(args))
    return { url: service.url, pid }
  }
  const one = await start('alone')
  const several = await start('together', ['--processes', String(PROCESSES)])
  const apart = []
  for (let index = 1; index <= PROCESSES; index++) apart.push(await start(`apart-${index}`))
  const rounds = await measureRounds(ROUNDS, 'responses per CPU second', {
    together: await createLoad([several.url], [several.pid, ...childrenOf(several.pid)]),
    alone: await createLoad([one.url], [one.pid]),
    apart: await createLoad(
      apart.map(({ url }) => url),
      apart.map(({ pid }) => pid),
    ),
  })
  const over = (baseline: 'alone' | 'apart', name: string) =>
    atLeast(
      0.9,
      `getListingsItem by ${PROCESSES} processes on one port, over ${name}`,
      'responses per CPU second',
      rounds.map((round) => ({ ours: round.together, baseline: round[baseline] })),
    )
  return [over('alone', 'one process'), over('apart', `${PROCESSES} processes on a port each`)]
}

/** The same number of requests and connections in all, divided among the ports. */
async function createLoad(urls: readonly string[], pids: readonly number[]) {
  const tokens = await Promise.all(urls.map((url) => fetchToken(url)))
  const used = () => pids.reduce((sum, pid) => sum + cpuMilliseconds(pid), 0)
  const send = (url: string, index: number) =>
    sendLoad({
      url,
      connections: CONNECTIONS / urls.length,
      count: REQUESTS_IN_ROUND / urls.length,
      expectedStatus: 200,
      nextRequest: () => writeRequest('GET', url, readPath(Math.floor(Math.random() * FEW)), tokens[index] as string),
    })
  return async () => {
    const before = used()
    await Promise.all(urls.map(send))
    return (REQUESTS_IN_ROUND / (used() - before)) * 1000
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
