/** A type of feed, as those see it who submit one. */
export interface FeedType {
  /** Of the result. */
  contentType: string
  /** At most so many in five minutes for a seller, apart from what the operation allows; no limit where absent. */
  maxPerFiveMinutes?: number
}

const JSON_RESULT: FeedType = { contentType: 'application/json; charset=UTF-8' }
const XML_RESULT: FeedType = { contentType: 'text/xml; charset=UTF-8' }

export const LISTINGS_FEED = 'JSON_LISTINGS_FEED'
export const FULFILLMENT_FEED = 'POST_ORDER_FULFILLMENT_DATA'
export const ACKNOWLEDGEMENT_FEED = 'POST_ORDER_ACKNOWLEDGEMENT_DATA'

/** Listings in the marketplace's older formats. They are taken, as the live service takes them, and end FATAL. */
export const RETIRED_FEEDS = [
  'POST_PRODUCT_DATA',
  'POST_INVENTORY_AVAILABILITY_DATA',
  'POST_PRODUCT_OVERRIDES_DATA',
  'POST_PRODUCT_PRICING_DATA',
  'POST_PRODUCT_IMAGE_DATA',
  'POST_PRODUCT_RELATIONSHIP_DATA',
  'POST_FLAT_FILE_INVLOADER_DATA',
  'POST_FLAT_FILE_LISTINGS_DATA',
  'POST_FLAT_FILE_BOOKLOADER_DATA',
  'POST_FLAT_FILE_CONVERGENCE_LISTINGS_DATA',
  'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA',
  'POST_UIEE_BOOKLOADER_DATA',
] as const

/** Every type of feed that can be submitted. docs/feeds.md has a row for each. */
export const feedTypes: ReadonlyMap<string, FeedType> = new Map([
  [LISTINGS_FEED, { ...JSON_RESULT, maxPerFiveMinutes: 5 }],
  [FULFILLMENT_FEED, XML_RESULT],
  [ACKNOWLEDGEMENT_FEED, XML_RESULT],
  ...RETIRED_FEEDS.map((name) => [name, XML_RESULT] as const),
])
