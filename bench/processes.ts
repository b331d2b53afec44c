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
const CONNECTIONS_OF_PROCESS = 32
// The compiler is done with a route only after tens of thousands of requests, in each of the processes.
const ROUNDS = { warmUps: 8, counted: 9 }
const REQUESTS_OF_PROCESS = 2_000

/**
 * What a response costs when several processes serve one port, over one process, and over as many processes with a port
 * each: processes that share a processor slow each other down, whoever deals out the connections. The database is not
 * counted.
 *
 * Each process has as many connections and requests as the one alone. With a quarter of the connections it would find a
 * quarter of the requests in an event-loop tick, and with a quarter of the requests it would still run code that is not
 * compiled: that compared a warm process with four cold ones.
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
    together: await createLoad([several.url], [several.pid, ...childrenOf(several.pid)], PROCESSES),
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

/** `processes` is how many serve each port. */
async function createLoad(urls: readonly string[], pids: readonly number[], processes = 1) {
  const tokens = await Promise.all(urls.map((url) => fetchToken(url)))
  const used = () => pids.reduce((sum, pid) => sum + cpuMilliseconds(pid), 0)
  const send = (url: string, index: number) =>
    sendLoad({
      url,
      connections: CONNECTIONS_OF_PROCESS * processes,
      count: REQUESTS_OF_PROCESS * processes,
      expectedStatus: 200,
      nextRequest: () => writeRequest('GET', url, readPath(Math.floor(Math.random() * FEW)), tokens[index] as string),
    })
  return async () => {
    const before = used()
    await Promise.all(urls.map(send))
    return ((REQUESTS_OF_PROCESS * processes * urls.length) / (used() - before)) * 1000
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
