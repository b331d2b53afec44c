export interface OfferTables {
  offers: {
    marketplace_id: string
    asin: string
    seller_id: string
    /** A dash if the SKU of a competitor is unknown. */
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
    /** 1 if a listing created it: then the operator API cannot change it. */
    from_listing: number
    updated_at: string
  }
}
