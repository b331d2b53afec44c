import { findRefusal } from '../../../marketplace/accounts/participation.ts'
import { dayOf, type MarketKey, marketId, refreshMarkets } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../../platform/errors/api-error.ts'
import { type JsonText, joinText } from '../../../platform/json-text.ts'
import { type Outcome, requireOneAnswer } from '../batch.ts'
import { createExpectedPriceOperations } from '../expected-price/operations.ts'
import type { FindListedProducts } from '../ports.ts'
import type { SummaryBatch, SummaryRequest } from '../schema.ts'
import { asksForOtherConditions, renderBatch } from './render.ts'
import { findSummaries, findSummariesOf, findSummary, type StoredSummary } from './store.ts'

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
    async getCompetitiveSummary({ sellerId }: SellerCaller, { requests }: SummaryBatch): Promise<JsonText> {
      requests.forEach(refuseInputsForNothing)
      const now = clock.now()
      const outcomes = await database.read((reader) => lookUpAll(reader, sellerId, requests, dayOf(now)))
      if (outcomes.includes(null)) await workOut(requests, outcomes, now)
      const answers = outcomes as Outcome<StoredSummary>[]
      requireOneAnswer(answers)
      return joinText(renderBatch(requests, answers))
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

type Found = Outcome<StoredSummary> | null

/** Of each the summary, why there can be none, or null where it has to be worked out first. */
async function lookUpAll(
  reader: Reader,
  sellerId: string,
  requests: readonly SummaryRequest[],
  today: number,
): Promise<Found[]> {
  const whole = requests.some(asksForOtherConditions)
  const [only] = requests
  // So do most ask, and one is found faster than some.
  if (only && requests.length === 1) {
    const { asin, marketplaceId } = only
    const found = await findSummary(reader, { sellerId, marketplaceId, asin }, { today, whole })
    const refusal = found === undefined ? await findRefusal(reader, sellerId, marketplaceId) : undefined
    return [refusal ?? check(asin, found)]
  }
  const outcomes = new Map<SummaryRequest, Found>()
  for (const [marketplaceId, group] of Map.groupBy(requests, (request) => request.marketplaceId)) {
    const asins = [...new Set(group.map(({ asin }) => asin))]
    const found = await findSummariesOf(reader, { sellerId, marketplaceId }, asins, { today, whole })
    const refusal = found ? undefined : await findRefusal(reader, sellerId, marketplaceId)
    for (const request of group) outcomes.set(request, refusal ?? check(request.asin, found?.get(request.asin)))
  }
  return requests.map((request) => outcomes.get(request) as Found)
}

const check = (asin: string, found: StoredSummary | null | undefined): Found =>
  ASIN.test(asin) ? (found ?? null) : invalidAsin(asin)

const invalidAsin = (asin: string) => new ApiError('INVALID_ASIN', `${asin} is not a valid ASIN`)

function refuseInputsForNothing({ includedData, lowestPricedOffersInputs }: SummaryRequest, index: number): void {
  if (!lowestPricedOffersInputs?.length || includedData.includes('lowestPricedOffers')) return
  throw invalidParameter(
    `requests[${index}].lowestPricedOffersInputs`,
    'is only valid where includedData names lowestPricedOffers',
  )
}
