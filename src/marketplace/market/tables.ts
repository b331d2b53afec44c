export interface MarketTables {
  price_histories: {
    marketplace_id: string
    asin: string
    currency_code: string
    /** JSON: from which day on what featured price, the oldest first */
    closings: string
  }
}
