import type { FindListedProducts } from '../../marketplace/listed-products.ts'
import { dayOf, type MarketKey, marketId, refreshMarkets } from '../../marketplace/market/index.ts'
import { findRefusal } from '../../marketplace/participation.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { type Outcome, requireOneAnswer } from './batch.ts'
import { createExpectedPriceOperations } from './expected-price-operations.ts'
import { asksForOtherConditions, renderBatch } from './representation.ts'
import type { SummaryBatch, SummaryRequest } from './schema.ts'
import { findSummaries, findSummary, type StoredSummary } from './store.ts'

export interface PricingDependencies {
  database: Database
  clock: Clock
  findListedProducts: FindListedProducts
}

export type PricingOperations = ReturnType<typeof createPricingOperations>

const ASIN = /^[A-Z0-9]{10}$/

export function createPricingOperations(dependencies: PricingDependencies) {
  const { database, clock } = dependencies
  return {
    ...createExpectedPriceOperations(dependencies),

    /** Answers the text of the body. */
    async getCompetitiveSummary({ sellerId }: SellerCaller, { requests }: SummaryBatch): Promise<string> {
      requests.forEach(refuseInputsForNothing)
      const now = clock.now()
      const outcomes = await database.read((reader) => lookUpAll(reader, sellerId, requests, dayOf(now)))
      if (outcomes.includes(null)) await workOut(requests, outcomes, now)
      const answers = outcomes as Outcome<StoredSummary>[]
      requireOneAnswer(answers)
      return renderBatch(requests, answers)
    },
  }

  /** Fills in what nobody has asked for since it changed. */
  async function workOut(
    requests: readonly SummaryRequest[],
    outcomes: (Outcome<StoredSummary> | null)[],
    now: Date,
  ): Promise<void> {
    const wanted: MarketKey[] = requests.filter((_, index) => outcomes[index] === null)
    const summaries = await database.transact(async (tx) => {
      // Many may have come for the same product; the first one did the work for all.
      const done = await findSummaries(tx, wanted, dayOf(now))
      const left = wanted.filter((key) => !done.has(marketId(key)))
      return new Map([...done, ...(await refreshMarkets(tx, left, now))])
    })
    for (const [index, request] of requests.entries()) {
      outcomes[index] ??= summaries.get(marketId(request)) ?? invalidAsin(request.asin)
    }
  }
}

// Each is one look into an index, by a query that was prepared: a single one for all would have to be made anew.
async function lookUpAll(reader: Reader, sellerId: string, requests: readonly SummaryRequest[], today: number) {
  const [only] = requests
  // So do most ask, and then there is nothing to wait for together.
  if (only && requests.length === 1) return [await lookUp(reader, sellerId, only, today)]
  return Promise.all(requests.map((request) => lookUp(reader, sellerId, request, today)))
}

/** The summary, why there can be none, or null where it has to be worked out first. */
async function lookUp(
  reader: Reader,
  sellerId: string,
  request: SummaryRequest,
  today: number,
): Promise<Outcome<StoredSummary> | null> {
  const { asin, marketplaceId } = request
  const key = { sellerId, marketplaceId, asin }
  const found = await findSummary(reader, key, { today, whole: asksForOtherConditions(request) })
  const refusal = found === undefined ? await findRefusal(reader, sellerId, marketplaceId) : undefined
  if (refusal) return refusal
  return ASIN.test(asin) ? (found ?? null) : invalidAsin(asin)
}

const invalidAsin = (asin: string) => new ApiError('INVALID_ASIN', `${asin} is not a valid ASIN`)

function refuseInputsForNothing({ includedData, lowestPricedOffersInputs }: SummaryRequest, index: number): void {
  if (!lowestPricedOffersInputs?.length || includedData.includes('lowestPricedOffers')) return
  throw invalidParameter(
    `requests[${index}].lowestPricedOffersInputs`,
    'is only valid where includedData names lowestPricedOffers',
  )
}
