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

/** The parts of a whole answer. That of each product is stored as it is shown, so it is only taken over. */
export function renderBatchJson(
  requests: readonly SummaryRequest[],
  outcomes: readonly ElementResult<StoredSummary>[],
): readonly string[] {
  const parts = ['{"responses":[']
  for (let index = 0; index < requests.length; index++) {
    if (index > 0) parts.push(',')
    const request = requests[index] as SummaryRequest
    const outcome = outcomes[index] as ElementResult<StoredSummary>
    if (outcome instanceof ApiError) parts.push(renderElementError(request, outcome))
    else parts.push(...sliceSummary(request, outcome), ELEMENT_CLOSING)
  }
  parts.push(']}')
  return parts
}

/** What is asked for of a summary. Everything is the usual question, and then it is one part. */
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
    const ofNew = element.slice(references_end, offers_end)
    parts.push(requestsNewOnly ? ofNew : renderOffers(inputs, ofNew, summary))
  }
  if (requestedSets.has('similarItems')) parts.push(element.slice(offers_end))
  return parts
}

/** One entry for each input, in their order. */
function renderOffers(inputs: readonly Input[], ofNew: string, summary: StoredSummary): string {
  const { used_offers, collectible_offers, refurbished_offers, club_offers } = summary
  const entries: Record<Condition, string | undefined> = {
    New: ofNew.slice(OFFERS_OPENING.length, -OFFERS_CLOSING.length),
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
