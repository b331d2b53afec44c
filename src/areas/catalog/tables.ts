/** As much of the sellers' listings as a search by SKU reads. */
export interface CatalogTables {
  listings: {
    seller_id: string
    marketplace_id: string
    sku: string
    asin: string | null
  }
}
