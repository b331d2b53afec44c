export interface FeedType {
  name: string
  label: string
  purpose: string
  contentType: string
  isRetired?: true
}

const XML = 'text/xml; charset=UTF-8'
const FLAT_FILE = 'text/tab-separated-values; charset=UTF-8'

const retired = (name: string): FeedType => ({
  name,
  label: name,
  purpose: 'Retired: the feed ends FATAL, as in the live service.',
  contentType: name.startsWith('POST_FLAT_FILE_') || name.startsWith('POST_UIEE_') ? FLAT_FILE : XML,
  isRetired: true,
})

export const LISTINGS_FEED = 'JSON_LISTINGS_FEED'

/** The feed types that Souk accepts. docs/feeds.md has them too. */
export const FEED_TYPES: readonly FeedType[] = [
  {
    name: LISTINGS_FEED,
    label: 'Listings (JSON)',
    purpose: 'Creates, changes and deletes up to 25,000 listings.',
    contentType: 'application/json; charset=UTF-8',
  },
  {
    name: 'POST_ORDER_FULFILLMENT_DATA',
    label: 'Shipped orders (XML)',
    purpose: 'Confirms that orders were shipped, completely or in part.',
    contentType: XML,
  },
  {
    name: 'POST_ORDER_ACKNOWLEDGEMENT_DATA',
    label: 'Acknowledged orders (XML)',
    purpose: 'Acknowledges or cancels orders.',
    contentType: XML,
  },
  retired('POST_PRODUCT_DATA'),
  retired('POST_INVENTORY_AVAILABILITY_DATA'),
  retired('POST_PRODUCT_OVERRIDES_DATA'),
  retired('POST_PRODUCT_PRICING_DATA'),
  retired('POST_PRODUCT_IMAGE_DATA'),
  retired('POST_PRODUCT_RELATIONSHIP_DATA'),
  retired('POST_FLAT_FILE_INVLOADER_DATA'),
  retired('POST_FLAT_FILE_LISTINGS_DATA'),
  retired('POST_FLAT_FILE_BOOKLOADER_DATA'),
  retired('POST_FLAT_FILE_CONVERGENCE_LISTINGS_DATA'),
  retired('POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA'),
  retired('POST_UIEE_BOOKLOADER_DATA'),
]

const byName = new Map(FEED_TYPES.map((type) => [type.name, type]))

export const findFeedType = (name: string): FeedType | undefined => byName.get(name)

export const feedTypeLabel = (name: string): string => findFeedType(name)?.label ?? name
