import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { logProgress } from './support/progress.ts'
import { type SoukProcess, startSouk } from './support/souk-process.ts'
import { atLeast, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const PAIRS = 3
const ROUNDS = { warmUps: 4, counted: 10 }
const TURNS_IN_ROUND = 4
const REQUESTS_IN_TURN = 1_000
const CONNECTIONS = 32
// As in the other benches: every call is counted against its quota, and none is refused.
const RATES = ['--rates', '1000000000']

/** What the request log costs: requests per second of processor time with it and without it. */
export async function measureRequests(): Promise<Figure[]> {
  const reads: Round[] = []
  const changes: Round[] = []
  for (let pair = 1; pair <= PAIRS; pair++) {
    const rounds = await measurePair()
    reads.push(...rounds.reads)
    changes.push(...rounds.changes)
  }
  return [
    atLeast(0.95, 'getListingsItem with the request log, over without', 'requests per CPU second', reads),
    atLeast(0.95, 'patchListingsItem with the request log, over without', 'requests per CPU second', changes),
  ]
}

async function measurePair() {
  using folder = makeTempFolder()
  await using logged = await startSouk(join(folder.path, 'logged'), RATES)
  await using unlogged = await startSouk(join(folder.path, 'unlogged'), [...RATES, '--request-log', '0'])
  const [withLog, withoutLog] = [await createLoads(logged), await createLoads(unlogged)]
  const reads: Round[] = []
  const changes: Round[] = []
  for (let round = 1 - ROUNDS.warmUps; round <= ROUNDS.counted; round++) {
    const read = await measureRound(withLog.read, withoutLog.read)
    const change = await measureRound(withLog.change, withoutLog.change)
    if (round < 1) continue
    logProgress(`round ${round} of ${ROUNDS.counted}: reads ${describe(read)}, changes ${describe(change)}`)
    reads.push(read)
    changes.push(change)
  }
  return { reads, changes }
}

interface ProcessLoad {
  pid: number
  send(): Promise<unknown>
}

/**
 * In short turns, first the one and then the other first: what the machine does meanwhile slows both down. Between its turns, a
 * process finishes what it began, such as a garbage collection, and that counts.
 */
async function measureRound(ours: ProcessLoad, baseline: ProcessLoad): Promise<Round> {
  const before = { ours: cpuMilliseconds(ours.pid), baseline: cpuMilliseconds(baseline.pid) }
  for (let turn = 0; turn < TURNS_IN_ROUND; turn++) {
    for (const { send } of turn % 2 === 0 ? [ours, baseline] : [baseline, ours]) await send()
  }
  const perSecond = (milliseconds: number) => ((TURNS_IN_ROUND * REQUESTS_IN_TURN) / milliseconds) * 1000
  return {
    ours: perSecond(cpuMilliseconds(ours.pid) - before.ours),
    baseline: perSecond(cpuMilliseconds(baseline.pid) - before.baseline),
  }
}

const describe = ({ ours, baseline }: Round) => `${ours.toFixed(0)} with and ${baseline.toFixed(0)} without`

async function createLoads({ url, pid }: SoukProcess) {
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
  const load = (request: Buffer): ProcessLoad => ({
    pid,
    send: () =>
      sendLoad({
        url,
        connections: CONNECTIONS,
        count: REQUESTS_IN_TURN,
        expectedStatus: 200,
        nextRequest: () => request,
      }),
  })
  return {
    read: load(writeRequest('GET', url, path, token)),
    change: load(writeRequest('PATCH', url, path, token, patch)),
  }
}
