import { ELEMENT_CLOSING, OFFERS_CLOSING, OFFERS_OPENING } from '../../../marketplace/market/index.ts'
import type { Condition } from '../../../marketplace/offers/conditions.ts'
import { ApiError } from '../../../platform/errors/api-error.ts'
import { errorsOf, type Outcome, refusalOf } from '../batch.ts'
import type { SummaryRequest } from '../schema.ts'
import type { StoredSummary } from './store.ts'

type Input = NonNullable<SummaryRequest['lowestPricedOffersInputs']>[number]

const DEFAULT_INPUTS: readonly Input[] = [{ itemCondition: 'New', offerType: 'Consumer' }]
const MOST_SETS = 4

export const asksForOtherConditions = ({ lowestPricedOffersInputs = [] }: SummaryRequest): boolean =>
  lowestPricedOffersInputs.some(({ itemCondition = 'New' }) => itemCondition !== 'New')

/** The parts of a whole answer. That of each product is stored as it is shown, so it is only taken over. */
export function renderBatch(
  requests: readonly SummaryRequest[],
  outcomes: readonly Outcome<StoredSummary>[],
): readonly string[] {
  const parts = ['{"responses":[']
  for (let index = 0; index < requests.length; index++) {
    if (index > 0) parts.push(',')
    const request = requests[index] as SummaryRequest
    const outcome = outcomes[index] as Outcome<StoredSummary>
    if (outcome instanceof ApiError) parts.push(renderRefusal(request, outcome))
    else parts.push(...selectParts(request, outcome), ELEMENT_CLOSING)
  }
  parts.push(']}')
  return parts
}

/** What is asked for of a summary. Everything is the usual question, and then it is one part. */
function selectParts(request: SummaryRequest, summary: StoredSummary): string[] {
  const { element, head_end, featured_end, references_end, offers_end } = summary
  const wanted = new Set(request.includedData)
  const inputs = request.lowestPricedOffersInputs?.length ? request.lowestPricedOffersInputs : DEFAULT_INPUTS
  const asksForNewOnly = inputs.length === 1 && !asksForOtherConditions(request)
  if (wanted.size === MOST_SETS && asksForNewOnly) return [element]
  const parts = [element.slice(0, head_end)]
  if (wanted.has('featuredBuyingOptions')) parts.push(element.slice(head_end, featured_end))
  if (wanted.has('referencePrices')) parts.push(element.slice(featured_end, references_end))
  if (wanted.has('lowestPricedOffers')) {
    const ofNew = element.slice(references_end, offers_end)
    parts.push(asksForNewOnly ? ofNew : renderOffers(inputs, ofNew, summary))
  }
  if (wanted.has('similarItems')) parts.push(element.slice(offers_end))
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

const renderRefusal = ({ asin, marketplaceId }: SummaryRequest, error: ApiError) =>
  JSON.stringify({ status: refusalOf(error), body: { asin, marketplaceId, errors: errorsOf(error) } })
