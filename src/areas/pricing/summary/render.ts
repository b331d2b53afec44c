import type { Condition } from '../../../marketplace/offers/conditions.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { type ElementResult, renderErrorStatus, renderErrors } from '../batch.ts'
import type { SummaryRequest } from '../schema.ts'
import type { StoredSummary } from './store.ts'
import { ELEMENT_CLOSING, OFFERS_CLOSING, OFFERS_OPENING } from './summary-text.ts'

type Input = NonNullable<SummaryRequest['lowestPricedOffersInputs']>[number]

const DEFAULT_INPUTS: readonly Input[] = [{ itemCondition: 'New', offerType: 'Consumer' }]
const SET_COUNT = 4

export const requestsOtherConditions = ({ lowestPricedOffersInputs = [] }: SummaryRequest): boolean =>
  lowestPricedOffersInputs.some(({ itemCondition = 'New' }) => itemCondition !== 'New')

/** Returns the parts of the response. Stored summaries are JSON text already, so they are only copied. */
export function renderBatchJson(
  requests: readonly SummaryRequest[],
  results: readonly ElementResult<StoredSummary>[],
): readonly string[] {
  const parts = ['{"responses":[']
  for (let index = 0; index < requests.length; index++) {
    if (index > 0) parts.push(',')
    const request = requests[index] as SummaryRequest
    const result = results[index] as ElementResult<StoredSummary>
    if (result instanceof ApiError) parts.push(renderElementError(request, result))
    else parts.push(...sliceSummary(request, result), ELEMENT_CLOSING)
  }
  parts.push(']}')
  return parts
}

/** Cuts the requested data sets out of a summary. Most requests include all of them, which takes no cutting. */
function sliceSummary(request: SummaryRequest, summary: StoredSummary): string[] {
  const { element, head_end, featured_end, references_end, offers_end } = summary
  const requestedSets = new Set(request.includedData)
  const inputs = request.lowestPricedOffersInputs?.length ? request.lowestPricedOffersInputs : DEFAULT_INPUTS
  const requestsNewOnly = inputs.length === 1 && !requestsOtherConditions(request)
  if (requestedSets.size === SET_COUNT && requestsNewOnly) return [element]
  const parts = [element.slice(0, head_end)]
  if (requestedSets.has('featuredBuyingOptions')) parts.push(element.slice(head_end, featured_end))
  if (requestedSets.has('referencePrices')) parts.push(element.slice(featured_end, references_end))
  if (requestedSets.has('lowestPricedOffers')) {
    const newOffers = element.slice(references_end, offers_end)
    parts.push(requestsNewOnly ? newOffers : renderOffers(inputs, newOffers, summary))
  }
  if (requestedSets.has('similarItems')) parts.push(element.slice(offers_end))
  return parts
}

function renderOffers(inputs: readonly Input[], newOffers: string, summary: StoredSummary): string {
  const { used_offers, collectible_offers, refurbished_offers, club_offers } = summary
  const entries: Record<Condition, string | undefined> = {
    New: newOffers.slice(OFFERS_OPENING.length, -OFFERS_CLOSING.length),
    Used: used_offers,
    Collectible: collectible_offers,
    Refurbished: refurbished_offers,
    Club: club_offers,
  }
  const listed = inputs.map(({ itemCondition = 'New' }) => entries[itemCondition])
  return `${OFFERS_OPENING}${listed.join(',')}${OFFERS_CLOSING}`
}

const renderElementError = ({ asin, marketplaceId }: SummaryRequest, error: ApiError) =>
  JSON.stringify({ status: renderErrorStatus(error), body: { asin, marketplaceId, errors: renderErrors(error) } })
