export interface ListingTables {
  listings: {
    seller_id: string
    sku: string
    marketplace_id: string
    /** NEW, LIVE or UNKNOWN */
    state: string
    product_type: string
    requirements: string
    asin: string | null
    fn_sku: string | null
    item_name: string | null
    main_image: string | null
    condition_type: string
    channel: string
    quantity: number | null
    price_minor: number | null
    price_currency: string | null
    /** 1 if price, channel and quantity describe the sale terms completely */
    has_plain_terms: number
    /** 1 if the listing has or had a relation to another listing */
    has_relations: number
    is_buyable: number
    is_discoverable: number
    has_errors: number
    has_warnings: number
    /** JSON: the attributes that describe the product */
    product_attributes: string
    /** JSON: the attributes that are sale terms */
    offer_attributes: string
    /** JSON */
    issues: string
    created_at: string
    updated_at: string
  }
  listing_relations: {
    seller_id: string
    marketplace_id: string
    /** VARIATION or PACKAGE_HIERARCHY */
    relation: string
    parent_sku: string
    child_sku: string
  }
  /** The values that a change replaced. */
  listing_history: {
    seller_id: string
    sku: string
    marketplace_id: string
    changed_at: string
    quantity_before: number | null
    price_minor_before: number | null
    price_currency_before: string | null
  }
}
