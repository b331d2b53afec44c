import { join } from 'node:path'
import { demo } from '../src/dev/demo/index.ts'
import { measureRounds } from './support/alternate.ts'
import { startBareHttpServer } from './support/baselines.ts'
import { fetchToken, postForResponse } from './support/demo-client.ts'
import { writeRequest } from './support/http-request.ts'
import { type Load, sendLoad } from './support/load.ts'
import { startPrism } from './support/prism.ts'
import { logProgress } from './support/progress.ts'
import { asinOf, OFFERS_OF_PRODUCT, seedOffers } from './support/seed-offers.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeast, atMostTimes, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const FEW = 10_000
const MANY = 1_000_000
const CONNECTIONS = 32
// The compiler is done with a route only after tens of thousands of requests.
const ROUNDS = { warmUps: 12, counted: 13 }
const PAIRS = 3
const READS_IN_ROUND = 4_000
const BATCHES_IN_ROUND = 400
const PRISM_READS_IN_ROUND = 100
const MAX_BATCH_SIZE = 20
const options = ['--rates', '1000000000']
const URI = '/products/pricing/2022-05-01/items/competitiveSummary'
const PATH = `/batches${URI}`
const ALL_DATA = ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems']

export async function measurePricing(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const few = join(folder.path, 'few')
  const many = join(folder.path, 'many')
  for (const [data, offers] of [
    [few, FEW],
    [many, MANY],
  ] as const) {
    logProgress(`Storing ${offers} offers`)
    await (await startSouk(data)).stop()
    seedOffers(join(data, 'souk.db'), offers)
    logProgress('Requesting each summary once: the first request computes it')
    await askForAll(data, offers / OFFERS_OF_PRODUCT)
  }
  const rounds: Record<'ours' | 'bare' | 'few' | 'batch', number>[] = []
  for (let pair = 1; pair <= PAIRS; pair++) {
    logProgress(`summaries, processes ${pair} of ${PAIRS}`)
    rounds.push(...(await measureOnce(few, many)))
  }
  // As time for one: the inverse of how many a second.
  const inTime = (baseline: 'ours' | 'few', ours: 'ours' | 'batch'): Round[] =>
    rounds.map((round) => ({ ours: 1e6 / round[ours], baseline: 1e6 / round[baseline] }))
  const what = 'getCompetitiveSummary'
  return [
    atLeast(
      0.6,
      `${what} of one ASIN, 20 offers, over 1,000,000, over bare node:http`,
      'requests/s',
      rounds.map(({ ours, bare }) => ({ ours, baseline: bare })),
    ),
    ...(await measureAgainstPrism(many)),
    atMostTimes(8, `${what} of 20 ASINs, over one`, 'µs', inTime('ours', 'batch')),
    atMostTimes(1.3, `${what} at 1,000,000 offers, over 10,000`, 'µs', inTime('few', 'ours')),
  ]
}

async function askForAll(data: string, products: number): Promise<void> {
  await using souk = await startSouk(data, options)
  const token = await fetchToken(souk.url)
  let next = 0
  await sendLoad({
    url: souk.url,
    connections: 4,
    count: products / MAX_BATCH_SIZE,
    expectedStatus: 200,
    nextRequest: () => {
      const first = next
      next += MAX_BATCH_SIZE
      return summaryRequest(
        souk.url,
        token,
        Array.from({ length: MAX_BATCH_SIZE }, (_, index) => asinOf(first + index)),
      )
    },
  })
}

async function measureOnce(few: string, many: string) {
  await using soukWithMany = await startSouk(many, options)
  await using soukWithFew = await startSouk(few, options)
  const tokens = [await fetchToken(soukWithMany.url), await fetchToken(soukWithFew.url)] as const
  const answer = await postForResponse(soukWithMany.url, PATH, tokens[0], bodyFor([asinOf(0)]))
  await using bare = await startBareHttpServer(answer)
  const loads = {
    ours: loadOn(soukWithMany.url, tokens[0], MANY),
    bare: loadOn(bare.url, tokens[0], MANY),
    few: loadOn(soukWithFew.url, tokens[1], FEW),
    batch: { ...loadOn(soukWithMany.url, tokens[0], MANY, MAX_BATCH_SIZE), count: BATCHES_IN_ROUND },
  }
  return await measureRounds(ROUNDS, 'requests/s', {
    ours: () => sendLoad(loads.ours),
    bare: () => sendLoad(loads.bare),
    few: () => sendLoad(loads.few),
    batch: () => sendLoad(loads.batch),
  })
}

/** A common mock server, which returns the same responses from the OpenAPI document to every client. */
async function measureAgainstPrism(many: string): Promise<Figure[]> {
  await using prism = await startPrism(PATH)
  if (!prism) return []
  await using souk = await startSouk(many, options)
  const token = await fetchToken(souk.url)
  const ours = loadOn(souk.url, token, MANY)
  const theirs = { ...loadOn(prism.url, token, MANY), count: PRISM_READS_IN_ROUND }
  const rounds = await measureRounds(ROUNDS, 'requests/s', {
    ours: () => sendLoad(ours),
    baseline: () => sendLoad(theirs),
  })
  return [atLeast(4, 'getCompetitiveSummary of one ASIN, over Prism with static answers', 'requests/s', rounds)]
}

const loadOn = (url: string, token: string, offers: number, asins = 1): Load => ({
  url,
  connections: CONNECTIONS,
  count: READS_IN_ROUND,
  expectedStatus: 200,
  nextRequest: () =>
    summaryRequest(
      url,
      token,
      Array.from({ length: asins }, () => anyAsin(offers)),
    ),
})

const anyAsin = (offers: number) => asinOf(Math.floor((Math.random() * offers) / OFFERS_OF_PRODUCT))

const bodyFor = (asins: readonly string[]) =>
  JSON.stringify({
    requests: asins.map((asin) => ({
      asin,
      marketplaceId: demo.marketplaceId,
      includedData: ALL_DATA,
      method: 'GET',
      uri: URI,
    })),
  })

export const summaryRequest = (url: string, token: string, asins: readonly string[]) =>
  writeRequest('POST', url, PATH, token, bodyFor(asins))
