import { findParticipationError } from '../../../marketplace/accounts/participation.ts'
import {
  dayOf,
  distinctMarkets,
  loadFewOffers,
  type loadMarketOffers,
  type MarketKey,
  marketId,
} from '../../../marketplace/market/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import { type Reader, StatementDeadlineError, type TransactionOptions } from '../../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../../platform/errors/api-error.ts'
import { withoutFields } from '../../../platform/errors/explanation.ts'
import { UnavailableError } from '../../../platform/errors/unavailable-error.ts'
import { type JsonText, joinText } from '../../../platform/json-text.ts'
import { shareRuns } from '../../../platform/share-runs.ts'
import { type ElementResult, requireAnySuccess } from '../batch.ts'
import type { PricingDependencies } from '../ports.ts'
import type { SummaryBatch, SummaryRequest } from '../schema.ts'
import { computeSummaries } from './compute.ts'
import { renderBatchJson, requestsOtherConditions } from './render.ts'
import { findSummariesByAsin, findSummary, type StoredSummary } from './store.ts'

export type SummaryOperations = ReturnType<typeof createSummaryOperations>

const LOCKS_MARKETS: TransactionOptions = { isolation: 'read committed' }
// A transaction for one product costs more than its summary.
const SHARED = { runs: 4, itemsPerRun: 20, waitMilliseconds: 5_000 }
const ASIN = /^[A-Z0-9]{10}$/

export function createSummaryOperations({ database, clock }: Pick<PricingDependencies, 'database' | 'clock'>) {
  /** Computes the summaries of products that have changed since the last request for them. */
  const compute = (keys: readonly MarketKey[], loadOffers?: typeof loadMarketOffers) =>
    database.transact((tx) => computeSummaries(tx, distinctMarkets(keys), clock.now(), loadOffers), LOCKS_MARKETS)
  const computeShared = shareRuns(
    {
      shared: (keys: readonly MarketKey[]) => compute(keys, loadFewOffers),
      alone: compute,
      failsAll: (error) => error instanceof UnavailableError && !(error instanceof StatementDeadlineError),
    },
    SHARED,
  )

  return {
    /** Returns the JSON text of the body. */
    async getCompetitiveSummary({ sellerId }: SellerCaller, { requests }: SummaryBatch): Promise<JsonText> {
      requests.forEach(rejectUnusedInputs)
      const today = dayOf(clock.now())
      const results = await database.read((reader) => findAllSummaries(reader, sellerId, requests, today))
      if (results.includes(null)) await computeMissing(requests, results)
      const complete = results as ElementResult<StoredSummary>[]
      requireAnySuccess(complete)
      return joinText(renderBatchJson(requests, complete))
    },
  }

  async function computeMissing(
    requests: readonly SummaryRequest[],
    results: (ElementResult<StoredSummary> | null)[],
  ): Promise<void> {
    const summaries = await computeShared(requests.filter((_, index) => results[index] === null))
    for (const [index, request] of requests.entries()) {
      results[index] ??= summaries.get(marketId(request)) ?? invalidAsin(request)
    }
  }
}

type FoundSummary = ElementResult<StoredSummary> | null

/** Returns a summary or an error for each request, or null for a summary that has to be computed. */
async function findAllSummaries(
  reader: Reader,
  sellerId: string,
  requests: readonly SummaryRequest[],
  today: number,
): Promise<FoundSummary[]> {
  const includeAllConditions = requests.some(requestsOtherConditions)
  const [only] = requests
  // Most requests name one product, and its query is faster than that for a list.
  if (only && requests.length === 1) {
    const { asin, marketplaceId } = only
    const found = await findSummary(reader, { sellerId, marketplaceId, asin }, { today, includeAllConditions })
    const error = found === undefined ? await findParticipationError(reader, sellerId, marketplaceId) : undefined
    return [error ?? requireValidAsin(only, found)]
  }
  const results = new Map<SummaryRequest, FoundSummary>()
  for (const [marketplaceId, group] of Map.groupBy(requests, (request) => request.marketplaceId)) {
    const asins = [...new Set(group.map(({ asin }) => asin))]
    const found = await findSummariesByAsin(reader, { sellerId, marketplaceId }, asins, {
      today,
      includeAllConditions,
    })
    const error = found ? undefined : await findParticipationError(reader, sellerId, marketplaceId)
    for (const request of group) results.set(request, error ?? requireValidAsin(request, found?.get(request.asin)))
  }
  return requests.map((request) => results.get(request) as FoundSummary)
}

const requireValidAsin = (key: MarketKey, found: StoredSummary | null | undefined): FoundSummary =>
  ASIN.test(key.asin) ? (found ?? null) : invalidAsin(key)

const invalidAsin = ({ asin, marketplaceId }: MarketKey) =>
  new ApiError('INVALID_ASIN', `${asin} is not a valid ASIN`, '', {
    missing: { kind: 'asin', id: asin, marketplaceIds: [marketplaceId] },
  })

function rejectUnusedInputs({ includedData, lowestPricedOffersInputs }: SummaryRequest, index: number): void {
  if (!lowestPricedOffersInputs?.length || includedData.includes('lowestPricedOffers')) return
  const place = `requests[${index}].lowestPricedOffersInputs`
  throw invalidParameter(place, 'requires lowestPricedOffers in includedData', withoutFields(place))
}
