export interface FeedType {
  /** Content type of the result. */
  contentType: string
  /** Maximum per application and seller every five minutes, in addition to the rate of the operation. Absent: no limit. */
  maxPerFiveMinutes?: number
}

const JSON_RESULT: FeedType = { contentType: 'application/json; charset=UTF-8' }
const XML_RESULT: FeedType = { contentType: 'text/xml; charset=UTF-8' }

export const LISTINGS_FEED = 'JSON_LISTINGS_FEED'
export const FULFILLMENT_FEED = 'POST_ORDER_FULFILLMENT_DATA'
export const ACKNOWLEDGEMENT_FEED = 'POST_ORDER_ACKNOWLEDGEMENT_DATA'

/** Older formats of listings. As in the live service, they are accepted and end FATAL. */
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

/** docs/feeds.md has a row for each type. */
export const feedTypes: ReadonlyMap<string, FeedType> = new Map([
  [LISTINGS_FEED, { ...JSON_RESULT, maxPerFiveMinutes: 5 }],
  [FULFILLMENT_FEED, XML_RESULT],
  [ACKNOWLEDGEMENT_FEED, XML_RESULT],
  ...RETIRED_FEEDS.map((name) => [name, XML_RESULT] as const),
])
