export interface CatalogTables {
  catalog_items: {
    marketplace_id: string
    asin: string
    product_type: string
    item_name: string
    brand: string | null
    classification_id: string | null
    classification_name: string | null
    /** JSON: all else that is known of it */
    facts: string
    updated_at: string
  }
  catalog_identifiers: {
    marketplace_id: string
    /** GTIN for all that is one in another spelling: EAN, UPC, JAN. */
    identifier_type: string
    identifier: string
    asin: string
  }
  catalog_words: {
    marketplace_id: string
    /** A word, or what else a search can narrow by: `brand:...`, `classification:...`. */
    word: string
    asin: string
  }
}
