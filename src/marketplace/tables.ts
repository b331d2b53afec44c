/** The facts that the marketplace itself owns. The operator API writes them; the areas read them. */
export interface MarketplaceTables {
  marketplaces: {
    marketplace_id: string
    name: string
    country_code: string
    currency_code: string
    language_code: string
    domain_name: string
  }
  sellers: {
    seller_id: string
    business_type: string
    selling_plan: string
    /** JSON */
    business: string | null
    /** JSON */
    primary_contact: string | null
    account_status: string
  }
  participations: {
    seller_id: string
    marketplace_id: string
    store_name: string
    is_participating: number
    has_suspended_listings: number
  }
  applications: {
    application_id: string
    name: string
    client_id: string
    client_secret_digest: string
    signing_key_id: string
    /** JSON */
    delegatees: string
    previous_secret_digest: string | null
    previous_secret_ends_at: string | null
    previous_signing_key_id: string | null
    previous_signing_key_ends_at: string | null
  }
  authorizations: {
    seller_id: string
    application_id: string
    authorized_at: string
  }
  refresh_tokens: {
    token_digest: string
    seller_id: string
    application_id: string
  }
  authorization_codes: {
    code_digest: string
    seller_id: string
    application_id: string
    redirect_uri: string | null
    expires_at: string
  }
  orders: {
    seller_id: string
    order_id: string
    marketplace_id: string
    status: string
    fulfillment_channel: string
    purchased_at: string
    updated_at: string
    earliest_ship_at: string | null
    latest_ship_at: string | null
    earliest_delivery_at: string | null
    latest_delivery_at: string | null
    shipped_at: string | null
    delivered_at: string | null
    acknowledged_at: string | null
    buyer_accepts_requests: number
    currency_code: string
    ship_service_level: string
    ship_city: string | null
    ship_state: string | null
    ship_postal_code: string | null
    ship_country_code: string | null
  }
  order_items: {
    seller_id: string
    order_id: string
    order_item_id: string
    sku: string
    asin: string
    title: string
    quantity: number
    quantity_shipped: number
    price_minor: number
    tax_minor: number
    shipping_price_minor: number
  }
  returns: {
    seller_id: string
    rma_id: string
    order_id: string
    merchant_rma_id: string | null
    requested_at: string
    status: string
    is_prime: number
    a_to_z_claim: number
    return_type: string
    label_type: string
    label_cost_minor: number
    label_carrier: string | null
    label_tracking_id: string | null
    label_paid_by: string
    invoice_number: string | null
    delivered_at: string | null
  }
  return_items: {
    seller_id: string
    rma_id: string
    order_item_id: string
    quantity: number
    reason_code: string
    in_policy: number
    resolution: string
    category: string
    refund_minor: number
  }
  feedback: {
    seller_id: string
    order_id: string
    submitted_at: string
    rating: number
    comment: string
    response: string | null
    rater_email: string | null
  }
  product_types: {
    name: string
    /** Changes with the definition. */
    version: string
    /** JSON: what a search needs of the definition */
    summary: string
    updated_at: string
    /** JSON */
    definition: string
  }
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
  /** What ANY_OFFER_CHANGED said last. */
  market_notices: {
    marketplace_id: string
    asin: string
    condition: string
    event_id: string
    digest: string
    notified_at: string
  }
  /** What PRICING_HEALTH said last of an offer. */
  pricing_health_notices: {
    marketplace_id: string
    asin: string
    seller_id: string
    sku: string
    event_id: string
    digest: string
    notified_at: string
  }
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
