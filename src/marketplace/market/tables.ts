export interface MarketTables {
  price_histories: {
    marketplace_id: string
    asin: string
    currency_code: string
    /** JSON: from which day on what featured price, the oldest first */
    closings: string
  }
  /** Text as it is answered. A row is there only while it is true: whoever changes an offer removes it. */
  market_summaries: {
    marketplace_id: string
    asin: string
    /** The day since 1970: what depends on the price history is true for that day only. */
    computed_on: number
    /** Where in the element its parts end: its beginning, and the sets, of which similar items are the last. */
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
}
