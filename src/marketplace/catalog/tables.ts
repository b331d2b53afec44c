export interface CatalogTables {
  catalog_items: {
    marketplace_id: string
    asin: string
    product_type: string
    item_name: string
    brand: string | null
    classification_id: string | null
    classification_name: string | null
    /** JSON: the remaining fields of the item */
    facts: string
    updated_at: string
  }
  catalog_identifiers: {
    marketplace_id: string
    /** GTIN for its variants EAN, UPC and JAN. */
    identifier_type: string
    identifier: string
    asin: string
  }
  catalog_words: {
    marketplace_id: string
    /** A word, or a key to narrow a search by: `brand:...`, `classification:...`. */
    word: string
    asin: string
  }
}
