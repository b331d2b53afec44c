import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { startChildService } from './support/child.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import type { LoggingAnswer, LoggingQuestion } from './support/logging-process.ts'
import { logProgress } from './support/progress.ts'
import { atLeast, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const PROCESSES = 3
const ROUNDS = { warmUps: 2, counted: 8 }
// Short, because the machine may be twice as fast a second later, but long enough for the log to be filled and its garbage
// collected.
const TURNS_IN_ROUND = 16
const REQUESTS_IN_TURN = 1_000
const CONNECTIONS = 32

/**
 * What the request log costs: requests per second of processor time with it and without it. Both in one process, because two
 * processes with the same code and the same load differ by up to a tenth.
 */
export async function measureRequests(): Promise<Figure[]> {
  const reads: Round[] = []
  const changes: Round[] = []
  for (let run = 1; run <= PROCESSES; run++) {
    const rounds = await measureProcess()
    reads.push(...rounds.reads)
    changes.push(...rounds.changes)
  }
  return [
    atLeast(0.95, 'getListingsItem with the request log, over without', 'requests per CPU second', reads),
    atLeast(0.95, 'patchListingsItem with the request log, over without', 'requests per CPU second', changes),
  ]
}

async function measureProcess() {
  using folder = makeTempFolder()
  // Written as in real life: what is measured includes the line of each request.
  const output = openSync(join(folder.path, 'souk.log'), 'w')
  await using service = startChildService<LoggingQuestion, LoggingAnswer>('logging-process.ts', [], output)
  closeSync(output)
  const { pid, logged, unlogged } = await service.ask({ folder: folder.path })
  const [withLog, withoutLog] = [await createLoads(logged), await createLoads(unlogged)]
  const reads: Round[] = []
  const changes: Round[] = []
  for (let round = 1 - ROUNDS.warmUps; round <= ROUNDS.counted; round++) {
    const read = await measureRound(pid, withLog.read, withoutLog.read)
    const change = await measureRound(pid, withLog.change, withoutLog.change)
    if (round < 1) continue
    logProgress(`round ${round} of ${ROUNDS.counted}: reads ${describe(read)}, changes ${describe(change)}`)
    reads.push(read)
    changes.push(change)
  }
  return { reads, changes }
}

type Load = () => Promise<unknown>

/** In turns, first the one and then the other first: what the machine does meanwhile slows both down. */
async function measureRound(pid: number, ours: Load, baseline: Load): Promise<Round> {
  const spent = new Map([ours, baseline].map((load) => [load, 0]))
  for (let turn = 0; turn < TURNS_IN_ROUND; turn++) {
    for (const load of turn % 2 === 0 ? [ours, baseline] : [baseline, ours]) {
      const before = cpuMilliseconds(pid)
      await load()
      spent.set(load, (spent.get(load) ?? 0) + cpuMilliseconds(pid) - before)
    }
  }
  const perSecond = (load: Load) => ((TURNS_IN_ROUND * REQUESTS_IN_TURN) / (spent.get(load) ?? 0)) * 1000
  return { ours: perSecond(ours), baseline: perSecond(baseline) }
}

const describe = ({ ours, baseline }: Round) => `${ours.toFixed(0)} with and ${baseline.toFixed(0)} without`

async function createLoads(url: string) {
  const token = await fetchToken(url)
  const [sku] = demo.skus as [string]
  const path = `/listings/2021-08-01/items/${demo.sellerId}/${sku}?marketplaceIds=${demo.marketplaceId}`
  const patch = JSON.stringify({
    productType: 'SHOES',
    patches: [
      {
        op: 'replace',
        path: '/attributes/fulfillment_availability',
        value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 7 }],
      },
    ],
  })
  const load =
    (request: Buffer): Load =>
    () =>
      sendLoad({
        url,
        connections: CONNECTIONS,
        count: REQUESTS_IN_TURN,
        expectedStatus: 200,
        nextRequest: () => request,
      })
  return {
    read: load(writeRequest('GET', url, path, token)),
    change: load(writeRequest('PATCH', url, path, token, patch)),
  }
}
