export interface PricingTables {
  /** Rendered summaries. A change of the market deletes its row. */
  market_summaries: {
    marketplace_id: string
    asin: string
    /** Days since 1970: the reference prices in a summary are valid for one day. */
    computed_on: number
    /** Offsets in `element`: the end of its head and of each data set but the last, similarItems. */
    head_end: number
    featured_end: number
    references_end: number
    offers_end: number
    element: string
    used_offers: string
    collectible_offers: string
    refurbished_offers: string
    club_offers: string
  }
  /** The last ANY_OFFER_CHANGED. */
  market_notices: {
    marketplace_id: string
    asin: string
    condition: string
    event_id: string
    digest: string
    notified_at: string
  }
  /** The last PRICING_HEALTH of an offer. */
  pricing_health_notices: {
    marketplace_id: string
    asin: string
    seller_id: string
    sku: string
    event_id: string
    digest: string
    notified_at: string
  }
}
