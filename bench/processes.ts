import { mkdirSync, readFileSync } from 'node:fs'
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

/** What a response costs when several processes serve one port, over one process. The database is not counted. */
export async function measureProcesses(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using server = await startSeededServer({ listings: FEW, products: 1 })
  const { databaseUrl } = server
  const configure = (name: string) => {
    const documents = join(folder.path, name)
    mkdirSync(documents)
    return configureService({ databaseUrl, folder: documents, poolSize: 10 })
  }
  const [alone, together] = [await configure('alone'), await configure('together')]
  await using one = await alone.startServe()
  await using several = await together.startServe(['--processes', String(PROCESSES)])
  const rounds = await measureRounds(ROUNDS, 'responses per CPU second', {
    ours: await createLoad(together.url, () => [several.pid, ...childrenOf(several.pid)]),
    baseline: await createLoad(alone.url, () => [one.pid]),
  })
  return [
    atLeast(
      0.9,
      `getListingsItem by ${PROCESSES} processes on one port, over one process`,
      'responses per CPU second',
      rounds,
    ),
  ]
}

async function createLoad(url: string, pids: () => number[]) {
  const token = await fetchToken(url)
  const used = () => pids().reduce((sum, pid) => sum + cpuMilliseconds(pid), 0)
  return async () => {
    const before = used()
    await sendLoad({
      url,
      connections: CONNECTIONS,
      count: REQUESTS_IN_ROUND,
      expectedStatus: 200,
      nextRequest: () => writeRequest('GET', url, readPath(Math.floor(Math.random() * FEW)), token),
    })
    return (REQUESTS_IN_ROUND / (used() - before)) * 1000
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
