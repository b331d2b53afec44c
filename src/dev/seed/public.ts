// The types of seeds for users. The JSON Schema has all fields, and every seed is checked by it.

/** Any other field of the JSON Schema. */
interface More {
  [field: string]: unknown
}

/** A whole marketplace: the content of a seed file. */
export interface MarketplaceSeed {
  /** Of the format: 1. */
  version?: number
  /** The time at which the marketplace begins. Default: that of the system. */
  clock?: { time: string; frozen?: boolean }
  /** Ids of public marketplaces, or marketplaces of your own. Default: all public ones. */
  marketplaces?: (
    | string
    | {
        marketplaceId: string
        name: string
        countryCode: string
        currencyCode: string
        languageCode: string
        domainName: string
      }
  )[]
  productTypes?: ({ name: string } & More)[]
  sellers?: ({ sellerId: string; participations: (string | ({ marketplaceId: string } & More))[] } & More)[]
  applications?: ({
    applicationId: string
    clientId?: string
    clientSecret?: string
    authorizations?: (string | ({ sellerId: string; refreshToken?: string } & More))[]
  } & More)[]
  catalogItems?: ({ marketplaceId: string; asin: string; productType: string; itemName: string } & More)[]
  listings?: ({
    sellerId: string
    sku: string
    marketplaceId: string
    asin?: string
    productType?: string
    /** In the minor unit of the currency: 5990 is 59.90 EUR. */
    priceMinor?: number
    /** What is left after the orders of the seed. */
    quantity?: number
    attributes?: Record<string, Record<string, unknown>[]>
  } & More)[]
  offers?: ({ marketplaceId: string; asin: string; sellerId: string; priceMinor: number } & More)[]
  priceHistories?: {
    marketplaceId: string
    asin: string
    currencyCode?: string
    closings: { day: string; priceMinor: number | null }[]
  }[]
  orders?: ({
    sellerId: string
    orderId: string
    marketplaceId: string
    status: string
    purchasedAt: string
    items: ({ sku: string; quantity: number } & More)[]
  } & More)[]
  returns?: ({ sellerId: string; rmaId: string; orderId: string } & More)[]
  feedback?: ({ sellerId: string; orderId: string; rating: number } & More)[]
  solicitations?: { sellerId: string; orderId: string; sentThrough?: 'api' | 'console'; sentAt?: string }[]
  destinations?: ({ applicationId: string; destinationId: string } & More)[]
  subscriptions?: ({
    sellerId: string
    applicationId: string
    notificationType: string
    destinationId: string
  } & More)[]
}

/** An application of a seed with what a client needs. A secret is absent if the seed has only its digest. */
export interface SeedCredentials {
  applicationId: string
  clientId: string
  clientSecret?: string
  authorizations: { sellerId: string; refreshToken?: string }[]
}
