import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { sendLoad } from './support/load.ts'
import { type SoukProcess, startSouk } from './support/souk-process.ts'
import { atLeast, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const PAIRS = 3
const ROUNDS = { warmUps: 4, counted: 10 }
const REQUESTS_IN_ROUND = 4_000
const CONNECTIONS = 32
// As in the other benches: every call is counted against its quota, and none is refused.
const RATES = ['--rates', '1000000000']

/** What the request log costs: requests per second of processor time with it and without it, in turn. */
export async function measureRequests(): Promise<Figure[]> {
  const reads: Round[] = []
  const changes: Round[] = []
  for (let pair = 1; pair <= PAIRS; pair++) {
    const rounds = await measureOnce()
    reads.push(...rounds.map(({ readsWith, readsWithout }) => ({ ours: readsWith, baseline: readsWithout })))
    changes.push(...rounds.map(({ changesWith, changesWithout }) => ({ ours: changesWith, baseline: changesWithout })))
  }
  return [
    atLeast(0.95, 'getListingsItem with the request log, over without', 'requests per CPU second', reads),
    atLeast(0.95, 'patchListingsItem with the request log, over without', 'requests per CPU second', changes),
  ]
}

async function measureOnce() {
  using folder = makeTempFolder()
  await using logged = await startSouk(join(folder.path, 'logged'), RATES)
  await using unlogged = await startSouk(join(folder.path, 'unlogged'), [...RATES, '--request-log', '0'])
  const [withLog, withoutLog] = [await createLoads(logged), await createLoads(unlogged)]
  // Awaited here: the processes end with this function.
  return await measureRounds(ROUNDS, 'requests per CPU second', {
    readsWith: withLog.read,
    readsWithout: withoutLog.read,
    changesWith: withLog.change,
    changesWithout: withoutLog.change,
  })
}

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
  const load = (request: Buffer) => async () => {
    const before = cpuMilliseconds(pid)
    await sendLoad({
      url,
      connections: CONNECTIONS,
      count: REQUESTS_IN_ROUND,
      expectedStatus: 200,
      nextRequest: () => request,
    })
    return (REQUESTS_IN_ROUND / (cpuMilliseconds(pid) - before)) * 1000
  }
  return {
    read: load(writeRequest('GET', url, path, token)),
    change: load(writeRequest('PATCH', url, path, token, patch)),
  }
}
