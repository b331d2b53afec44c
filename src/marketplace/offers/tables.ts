export interface OfferTables {
  offers: {
    marketplace_id: string
    asin: string
    seller_id: string
    /** A dash for a rival whose SKU nobody told. */
    sku: string
    condition_type: string
    /** AFN or MFN */
    fulfillment_type: string
    price_minor: number
    shipping_minor: number
    currency_code: string
    quantity: number
    /** JSON: prime, points, promotions, the seller's rating */
    terms: string
    /** Whether a listing made it: then it is the seller's own, and not the operator's to change. */
    from_listing: number
    updated_at: string
  }
}
