import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { startBareHttpServer, startListingBaseline } from './support/baselines.ts'
import { fetchResponse, fetchToken } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { type Load, sendLoad } from './support/load.ts'
import { logProgress } from './support/progress.ts'
import { seedListings, skuOf } from './support/seed-listings.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeast, atMostTimes, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

export const FEW = 10_000
const MANY = 1_000_000
const CONNECTIONS = 32
const WRITE_ROUNDS = { warmUps: 5, counted: 45 }
// The compiler is done with a route only after tens of thousands of requests.
const READ_ROUNDS = { warmUps: 12, counted: 13 }
const PAIRS = 3
const READS_IN_ROUND = 4_000
const WRITES_IN_ROUND = 1_000
const options = ['--rates', '1000000000']
const ALL_DATA = 'summaries,attributes,issues,offers,fulfillmentAvailability,procurement,relationships,productTypes'

export async function measureListings(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const few = join(folder.path, 'few')
  const many = join(folder.path, 'many')
  const baselineFile = join(folder.path, 'baseline.db')
  for (const [data, count] of [
    [few, FEW],
    [many, MANY],
  ] as const) {
    logProgress(`Storing ${count} listings`)
    await (await startSouk(data)).stop()
    seedListings(join(data, 'souk.db'), count)
  }
  copyFileSync(join(few, 'souk.db'), baselineFile)
  return [await measureWrites(few, baselineFile), ...(await measureReads(few, many)), await measureDepth(many)]
}

async function measureWrites(data: string, baselineFile: string): Promise<Figure> {
  await using souk = await startSouk(data, options)
  await using sqlite = startListingBaseline(baselineFile)
  const token = await fetchToken(souk.url)
  let next = 0
  let nextOfBaseline = 0
  const rounds = await measureRounds(WRITE_ROUNDS, 'patches/s', {
    ours: () =>
      sendLoad({
        url: souk.url,
        connections: CONNECTIONS,
        count: WRITES_IN_ROUND,
        expectedStatus: 200,
        nextRequest: () => writePatch(souk.url, token, next++),
      }),
    baseline: () => {
      const skus = Array.from({ length: WRITES_IN_ROUND }, () => skuOf(nextOfBaseline++ % FEW))
      return sqlite.transactionsPerSecond(skus)
    },
  })
  return atLeast(0.8, 'patchListingsItem of price and quantity, over bare SQLite', 'patches/s', rounds)
}

/** Every patch changes both, because a patch with the stored values writes nothing. */
export function writePatch(url: string, token: string, index: number): Buffer {
  const body = JSON.stringify({
    productType: 'SHOES',
    patches: [
      {
        op: 'replace',
        path: '/attributes/fulfillment_availability',
        value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 1 + (index % 97) }],
      },
      {
        op: 'replace',
        path: '/attributes/purchasable_offer',
        value: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 10 + (index % 8999) / 100 }] }] }],
      },
    ],
  })
  const path = `${itemPath(skuOf(index % FEW))}?marketplaceIds=${demo.marketplaceId}`
  return writeRequest('PATCH', url, path, token, body)
}

async function measureReads(few: string, many: string): Promise<Figure[]> {
  const rounds: { ours: number; baseline: number; few: number }[] = []
  for (let pair = 1; pair <= PAIRS; pair++) {
    logProgress(`reads, processes ${pair} of ${PAIRS}`)
    rounds.push(...(await measureReadsOnce(few, many)))
  }
  // As time for one: the inverse of how many a second.
  const growth: Round[] = rounds.map((round) => ({ ours: 1e6 / round.ours, baseline: 1e6 / round.few }))
  return [
    atLeast(0.35, 'getListingsItem with all data over 1,000,000, over bare node:http', 'requests/s', rounds),
    atMostTimes(1.3, 'getListingsItem at 1,000,000 listings, over 10,000', 'µs', growth),
  ]
}

async function measureReadsOnce(few: string, many: string) {
  await using soukWithMany = await startSouk(many, options)
  await using soukWithFew = await startSouk(few, options)
  const tokens = [await fetchToken(soukWithMany.url), await fetchToken(soukWithFew.url)] as const
  const answer = await fetchResponse(soukWithMany.url, readPath(0), tokens[0])
  await using bare = await startBareHttpServer(answer)
  const loadOn = (url: string, token: string, count: number): Load => ({
    url,
    connections: CONNECTIONS,
    count: READS_IN_ROUND,
    expectedStatus: 200,
    nextRequest: () => writeRequest('GET', url, readPath(Math.floor(Math.random() * count)), token),
  })
  const loads = {
    ours: loadOn(soukWithMany.url, tokens[0], MANY),
    baseline: loadOn(bare.url, tokens[0], MANY),
    few: loadOn(soukWithFew.url, tokens[1], FEW),
  }
  return await measureRounds(READ_ROUNDS, 'requests/s', {
    ours: () => sendLoad(loads.ours),
    baseline: () => sendLoad(loads.baseline),
    few: () => sendLoad(loads.few),
  })
}

/** The first page of a search against one from the middle of what can be paged through. */
async function measureDepth(data: string): Promise<Figure> {
  await using souk = await startSouk(data, options)
  const token = await fetchToken(souk.url)
  const first = `${searchPath()}&pageSize=20`
  let deep = first
  for (let page = 0; page < 40; page++) {
    const { body } = await fetchResponse(souk.url, deep, token)
    deep = `${first}&pageToken=${JSON.parse(body).pagination.nextToken}`
  }
  const load = (path: string): Load => ({
    url: souk.url,
    connections: CONNECTIONS,
    count: 300,
    expectedStatus: 200,
    nextRequest: () => writeRequest('GET', souk.url, path, token),
  })
  const rounds = await measureRounds({ warmUps: 3, counted: 15 }, 'requests/s', {
    ours: async () => 1e6 / (await sendLoad(load(deep))),
    baseline: async () => 1e6 / (await sendLoad(load(first))),
  })
  return atMostTimes(1.3, 'searchListingsItems, the 41st page over the first', 'µs', rounds)
}

const itemPath = (sku: string) => `/listings/2021-08-01/items/${demo.sellerId}/${sku}`
export const readPath = (index: number) =>
  `${itemPath(skuOf(index))}?marketplaceIds=${demo.marketplaceId}&includedData=${ALL_DATA}`
export const searchPath = () => `/listings/2021-08-01/items/${demo.sellerId}?marketplaceIds=${demo.marketplaceId}`
