export interface PricingTables {
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
