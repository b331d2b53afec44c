import type { CheckKind } from './checks.ts'

/** A difference from the public models that is meant. The page of the coverage lists the reasons. */
export interface Difference {
  operations: readonly string[]
  kind: CheckKind
  /** The checks that fail. Default: all of the kind. */
  names?: readonly string[]
  /** What they report. Default: anything. */
  violation?: RegExp
  reason: string
}

const CANNED =
  'The static sandbox returns fixed ids, names and errors. Souk is stateful: it returns what exists, and 404 (or the documented 400) for an id that does not.'

const ABSENT = 'Optional fields for which the marketplace has no value are absent.'

const ENVELOPE =
  'Errors have the body `{"errors": [...]}` as in all other operations. This model alone has a bare list.'
const ALL_RESOURCES =
  'A destination has all three resources, as live responses do. The two that it does not use are null.'

const EXAMPLES: Record<string, readonly string[]> = {
  searchCatalogItems: ['200'],
  getCatalogItem: ['200', '400'],
  searchDefinitionsProductTypes: ['400'],
  getDefinitionsProductType: ['400'],
  getFeeds: ['200'],
  createFeed: ['202'],
  cancelFeed: ['200', '400'],
  getFeed: ['200', '400'],
  getFeedDocument: ['200'],
  searchListingsItems: ['200', '400'],
  getListingsItem: ['400'],
  getReports: ['200'],
  cancelReport: ['200', '400'],
  getReport: ['200', '400'],
  getReportSchedules: ['200', '400'],
  createReportSchedule: ['201'],
  cancelReportSchedule: ['200', '400'],
  getReportSchedule: ['200', '400'],
  getReportDocument: ['200'],
  getAccount: ['400'],
  getListingOffers: ['200', '200 #2'],
  getItemOffers: ['200', '200 #2'],
  getFeaturedOfferExpectedPriceBatch: ['200'],
  getCompetitiveSummary: ['200'],
  getItemOffersBatch: ['200', '400'],
  getListingOffersBatch: ['200', '400'],
  createRestrictedDataToken: ['200'],
  rotateApplicationClientSecret: ['400'],
  getListingsRestrictions: ['200'],
  getOrders: ['200', '200 #2', '200 #3'],
  getOrder: ['200', '200 #2', '400'],
  getOrderBuyerInfo: ['200', '400'],
  getOrderAddress: ['200', '400'],
  getOrderItems: ['200', '400'],
  getOrderItemsBuyerInfo: ['200', '400'],
  getOrderRegulatedInfo: ['200', '200 #2', '400'],
  updateVerificationStatus: ['204', '204 #2', '400 #2', '400 #5', '400 #6', '400 #7'],
  confirmShipment: ['204'],
  searchOrders: ['200', '200 #2', '200 #3'],
  getOrder20260101: ['200', '200 #2', '200 #3', '400'],
}

const PRICING_BATCHES = [
  'getItemOffersBatch',
  'getListingOffersBatch',
  'getFeaturedOfferExpectedPriceBatch',
  'getCompetitiveSummary',
]
const DESTINATIONS = ['getDestinations', 'createDestination', 'getDestination']

export const differences: readonly Difference[] = [
  ...Object.entries(EXAMPLES).map(
    ([operation, names]): Difference => ({
      operations: [operation],
      kind: 'examples',
      names,
      reason: CANNED,
    }),
  ),
  {
    operations: ['patchListingsItem', 'putListingsItem', 'deleteListingsItem'],
    kind: 'examples',
    names: ['400'],
    reason:
      'Any text of 1 to 255 characters is a SKU. A submission for an unknown one is accepted, and its issues follow.',
  },
  {
    operations: ['patchListingsItem', 'putListingsItem'],
    kind: 'examples',
    names: ['200 #2', '200 #3'],
    reason: 'A preview validates the submitted attributes. The sandbox decides by the name of the SKU.',
  },
  {
    operations: ['getListingsItem'],
    kind: 'examples',
    names: ['200'],
    reason: 'A response has the data sets of `includedData`, by default the summaries. The example has all of them.',
  },
  {
    operations: ['getAccount'],
    kind: 'examples',
    names: ['200'],
    reason: ABSENT,
  },
  {
    operations: ['getCompetitivePricing'],
    kind: 'examples',
    names: ['200', '200 #2'],
    reason: ABSENT,
  },
  {
    operations: ['getPricing', 'getCompetitivePricing'],
    kind: 'examples',
    names: ['200 #3'],
    reason: 'There are no business-only offers: a request for them returns none.',
  },
  {
    operations: ['getListingsRestrictions'],
    kind: 'invalid',
    violation: /must be array/,
    reason: ENVELOPE,
  },
  {
    operations: ['getListingsRestrictions'],
    kind: 'quota',
    violation: /must be array/,
    reason: ENVELOPE,
  },
  {
    operations: ['getListingsRestrictions'],
    kind: 'examples',
    names: ['400'],
    reason: ENVELOPE,
  },
  {
    operations: DESTINATIONS,
    kind: 'valid',
    violation: /resource\/(sqs|eventBridge) must be object|resource\.privateSqs/,
    reason: ALL_RESOURCES,
  },
  {
    operations: DESTINATIONS,
    kind: 'examples',
    violation: /resource\/eventBridge must be object/,
    reason: ALL_RESOURCES,
  },
  {
    operations: [...PRICING_BATCHES, 'confirmShipment'],
    kind: 'invalid',
    names: ['body of another content type'],
    reason:
      'A body of another content type gets 415, as in other operations. The models of these do not list the status.',
  },
  {
    operations: ['getItemOffersBatch', 'getListingOffersBatch', 'getFeaturedOfferExpectedPriceBatch'],
    kind: 'invalid',
    violation: /gets 200/,
    reason: 'Headers and the customer segment of a batch element are ignored, so their format is not checked.',
  },
  {
    operations: ['getCompetitiveSummary'],
    kind: 'invalid',
    names: [
      'body.requests.0.lowestPricedOffersInputs.0.itemCondition missing',
      'body.requests.0.lowestPricedOffersInputs.0.offerType missing',
    ],
    reason: 'The condition and offer type of lowest priced offers have the defaults `New` and `Consumer`.',
  },
  {
    operations: ['getCompetitiveSummary'],
    kind: 'valid',
    violation: /offers must NOT have fewer than 1 items/,
    reason: 'A list of lowest priced offers can be empty, as on the live service. The model requires one element.',
  },
  {
    operations: ['updateVerificationStatus'],
    kind: 'valid',
    violation: /status must be Pending, Approved or Rejected/,
    reason: 'A seller approves or rejects regulated information. The marketplace alone sets `Expired` and `Cancelled`.',
  },
  {
    operations: ['getSolicitationActionsForOrder'],
    kind: 'valid',
    names: ['keys of the responses'],
    reason: 'The fields of an action and of its schema are at the top level too, not only in `payload`.',
  },
]
