import type { Condition } from '../../marketplace/conditions.ts'
import { ELEMENT_CLOSING, OFFERS_CLOSING, OFFERS_OPENING } from '../../marketplace/market/index.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { errorsOf, type Outcome, refusalOf } from './batch.ts'
import type { SummaryRequest } from './schema.ts'
import type { StoredSummary } from './store.ts'

type Input = NonNullable<SummaryRequest['lowestPricedOffersInputs']>[number]

const DEFAULT_INPUTS: readonly Input[] = [{ itemCondition: 'New', offerType: 'Consumer' }]
const MOST_SETS = 4

const batchOpening = Buffer.from('{"responses":[')
const batchClosing = Buffer.from(']}')
const comma = Buffer.from(',')
const elementClosing = Buffer.from(ELEMENT_CLOSING)
const offersOpening = Buffer.from(OFFERS_OPENING)
const offersClosing = Buffer.from(OFFERS_CLOSING)

export const asksForOtherConditions = ({ lowestPricedOffersInputs = [] }: SummaryRequest): boolean =>
  lowestPricedOffersInputs.some(({ itemCondition = 'New' }) => itemCondition !== 'New')

/** The bytes of a whole answer. Those of each product are stored as they are shown, so they are only put together. */
export function renderBatch(requests: readonly SummaryRequest[], outcomes: readonly Outcome<StoredSummary>[]): Buffer {
  const parts: Buffer[] = [batchOpening]
  for (let index = 0; index < requests.length; index++) {
    if (index > 0) parts.push(comma)
    const request = requests[index] as SummaryRequest
    const outcome = outcomes[index] as Outcome<StoredSummary>
    if (outcome instanceof ApiError) parts.push(renderRefusal(request, outcome))
    else parts.push(...selectParts(request, outcome), elementClosing)
  }
  parts.push(batchClosing)
  return Buffer.concat(parts)
}

/** What is asked for of a summary. Everything is the usual question, and then it is one part. */
function selectParts(request: SummaryRequest, summary: StoredSummary): Buffer[] {
  const { element, head_end, featured_end, references_end, offers_end } = summary
  const wanted = new Set(request.includedData)
  const inputs = request.lowestPricedOffersInputs?.length ? request.lowestPricedOffersInputs : DEFAULT_INPUTS
  const asksForNewOnly = inputs.length === 1 && !asksForOtherConditions(request)
  if (wanted.size === MOST_SETS && asksForNewOnly) return [element]
  const parts = [element.subarray(0, head_end)]
  if (wanted.has('featuredBuyingOptions')) parts.push(element.subarray(head_end, featured_end))
  if (wanted.has('referencePrices')) parts.push(element.subarray(featured_end, references_end))
  if (wanted.has('lowestPricedOffers')) {
    const ofNew = element.subarray(references_end, offers_end)
    if (asksForNewOnly) parts.push(ofNew)
    else parts.push(...selectOffers(inputs, ofNew, summary))
  }
  if (wanted.has('similarItems')) parts.push(element.subarray(offers_end))
  return parts
}

/** One entry for each input, in their order. */
function selectOffers(inputs: readonly Input[], ofNew: Buffer, summary: StoredSummary): Buffer[] {
  const { used_offers, collectible_offers, refurbished_offers, club_offers } = summary
  const entries: Record<Condition, Buffer | undefined> = {
    New: ofNew.subarray(offersOpening.length, -offersClosing.length),
    Used: used_offers,
    Collectible: collectible_offers,
    Refurbished: refurbished_offers,
    Club: club_offers,
  }
  const listed = inputs.flatMap(({ itemCondition = 'New' }, index) => {
    const entry = entries[itemCondition] as Buffer
    return index === 0 ? [entry] : [comma, entry]
  })
  return [offersOpening, ...listed, offersClosing]
}

const renderRefusal = ({ asin, marketplaceId }: SummaryRequest, error: ApiError) =>
  Buffer.from(JSON.stringify({ status: refusalOf(error), body: { asin, marketplaceId, errors: errorsOf(error) } }))
