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
const LISTS_IN_TURN = 100
const CONNECTIONS = 32
const ORDERS = `/orders/v0/orders?MarketplaceIds=${demo.marketplaceId}&CreatedAfter=2020-01-01T00:00:00Z`

/**
 * What the request log costs: requests per second of processor time with it and without it. Both in one process, because two
 * processes with the same code and the same load differ by up to a tenth.
 */
export async function measureRequests(): Promise<Figure[]> {
  const rounds: Rounds[] = []
  for (let run = 1; run <= PROCESSES; run++) rounds.push(...(await measureProcess()))
  return OPERATIONS.map((operation) =>
    atLeast(
      0.95,
      `${operation} with the request log, over without`,
      'requests per CPU second',
      rounds.map((round) => round[operation]),
    ),
  )
}

async function measureProcess() {
  using folder = makeTempFolder()
  // Written as in real life: what is measured includes the line of each request.
  const output = openSync(join(folder.path, 'souk.log'), 'w')
  await using service = startChildService<LoggingQuestion, LoggingAnswer>('logging-process.ts', [], output)
  closeSync(output)
  const { pid, logged, unlogged } = await service.ask({ folder: folder.path })
  const [withLog, withoutLog] = [await createLoads(logged), await createLoads(unlogged)]
  const rounds: Rounds[] = []
  for (let number = 1 - ROUNDS.warmUps; number <= ROUNDS.counted; number++) {
    const round = {} as Rounds
    for (const operation of OPERATIONS)
      round[operation] = await measureRound(pid, withLog[operation], withoutLog[operation])
    if (number < 1) continue
    logProgress(
      `round ${number} of ${ROUNDS.counted}: ${OPERATIONS.map((one) => describe(one, round[one])).join(', ')}`,
    )
    rounds.push(round)
  }
  return rounds
}

// The list is longer than what the log keeps of a body.
const OPERATIONS = ['getListingsItem', 'patchListingsItem', 'getOrders'] as const
type Operation = (typeof OPERATIONS)[number]
type Rounds = Record<Operation, Round>

interface LogLoad {
  count: number
  send(): Promise<unknown>
}

/** In turns, first the one and then the other first: what the machine does meanwhile slows both down. */
async function measureRound(pid: number, ours: LogLoad, baseline: LogLoad): Promise<Round> {
  const spent = new Map([ours, baseline].map((load) => [load, 0]))
  for (let turn = 0; turn < TURNS_IN_ROUND; turn++) {
    for (const load of turn % 2 === 0 ? [ours, baseline] : [baseline, ours]) {
      const before = cpuMilliseconds(pid)
      await load.send()
      spent.set(load, (spent.get(load) ?? 0) + cpuMilliseconds(pid) - before)
    }
  }
  const perSecond = (load: LogLoad) => ((TURNS_IN_ROUND * load.count) / (spent.get(load) ?? 0)) * 1000
  return { ours: perSecond(ours), baseline: perSecond(baseline) }
}

const describe = (operation: Operation, { ours, baseline }: Round) =>
  `${operation} ${ours.toFixed(0)} with and ${baseline.toFixed(0)} without`

async function createLoads(url: string): Promise<Record<Operation, LogLoad>> {
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
  const load = (count: number, request: Buffer): LogLoad => ({
    count,
    send: () => sendLoad({ url, connections: CONNECTIONS, count, expectedStatus: 200, nextRequest: () => request }),
  })
  return {
    getListingsItem: load(REQUESTS_IN_TURN, writeRequest('GET', url, path, token)),
    patchListingsItem: load(REQUESTS_IN_TURN, writeRequest('PATCH', url, path, token, patch)),
    getOrders: load(LISTS_IN_TURN, writeRequest('GET', url, ORDERS, token)),
  }
}
