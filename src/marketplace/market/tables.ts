export interface MarketTables {
  price_histories: {
    marketplace_id: string
    asin: string
    currency_code: string
    /** JSON: the featured price from each day on, oldest first */
    closings: string
  }
}
