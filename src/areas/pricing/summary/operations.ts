import { findParticipationError } from '../../../marketplace/accounts/participation.ts'
import { dayOf, type MarketKey, marketId } from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../../platform/errors/api-error.ts'
import { type JsonText, joinText } from '../../../platform/json-text.ts'
import { type ElementResult, requireAnySuccess } from '../batch.ts'
import { createExpectedPriceOperations } from '../expected-price/operations.ts'
import type { FindListedProducts } from '../ports.ts'
import type { SummaryBatch, SummaryRequest } from '../schema.ts'
import { refreshSummaries } from './refresh.ts'
import { renderBatchJson, requestsOtherConditions } from './render.ts'
import { findSummaries, findSummariesByAsin, findSummary, type StoredSummary } from './store.ts'

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
      requests.forEach(refuseUnusedInputs)
      const now = clock.now()
      const results = await database.read((reader) => findAllSummaries(reader, sellerId, requests, dayOf(now)))
      if (results.includes(null)) await computeMissing(requests, results, now)
      const answers = results as ElementResult<StoredSummary>[]
      requireAnySuccess(answers)
      return joinText(renderBatchJson(requests, answers))
    },
  }

  /** Fills in what nobody has asked for since it changed. */
  async function computeMissing(
    requests: readonly SummaryRequest[],
    results: (ElementResult<StoredSummary> | null)[],
    now: Date,
  ): Promise<void> {
    const wanted: MarketKey[] = requests.filter((_, index) => results[index] === null)
    const summaries = await database.transact(async (tx) => {
      // Many may have come for the same product; the first one did the work for all.
      const done = await findSummaries(tx, wanted, dayOf(now))
      const left = wanted.filter((key) => !done.has(marketId(key)))
      return new Map([...done, ...(await refreshSummaries(tx, left, now))])
    })
    for (const [index, request] of requests.entries()) {
      results[index] ??= summaries.get(marketId(request)) ?? invalidAsin(request.asin)
    }
  }
}

type FoundSummary = ElementResult<StoredSummary> | null

/** Of each the summary, why there can be none, or null where it has to be worked out first. */
async function findAllSummaries(
  reader: Reader,
  sellerId: string,
  requests: readonly SummaryRequest[],
  today: number,
): Promise<FoundSummary[]> {
  const includeAllConditions = requests.some(requestsOtherConditions)
  const [only] = requests
  // So do most ask, and one is found faster than some.
  if (only && requests.length === 1) {
    const { asin, marketplaceId } = only
    const found = await findSummary(
      reader,
      { sellerId, marketplaceId, asin },
      { today, includeAllConditions: includeAllConditions },
    )
    const refusal = found === undefined ? await findParticipationError(reader, sellerId, marketplaceId) : undefined
    return [refusal ?? requireValidAsin(asin, found)]
  }
  const results = new Map<SummaryRequest, FoundSummary>()
  for (const [marketplaceId, group] of Map.groupBy(requests, (request) => request.marketplaceId)) {
    const asins = [...new Set(group.map(({ asin }) => asin))]
    const found = await findSummariesByAsin(reader, { sellerId, marketplaceId }, asins, {
      today,
      includeAllConditions: includeAllConditions,
    })
    const refusal = found ? undefined : await findParticipationError(reader, sellerId, marketplaceId)
    for (const request of group)
      results.set(request, refusal ?? requireValidAsin(request.asin, found?.get(request.asin)))
  }
  return requests.map((request) => results.get(request) as FoundSummary)
}

const requireValidAsin = (asin: string, found: StoredSummary | null | undefined): FoundSummary =>
  ASIN.test(asin) ? (found ?? null) : invalidAsin(asin)

const invalidAsin = (asin: string) => new ApiError('INVALID_ASIN', `${asin} is not a valid ASIN`)

function refuseUnusedInputs({ includedData, lowestPricedOffersInputs }: SummaryRequest, index: number): void {
  if (!lowestPricedOffersInputs?.length || includedData.includes('lowestPricedOffers')) return
  throw invalidParameter(
    `requests[${index}].lowestPricedOffersInputs`,
    'is only valid where includedData names lowestPricedOffers',
  )
}
