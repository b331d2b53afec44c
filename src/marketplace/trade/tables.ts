export interface TradeTables {
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
    seller_order_id: string | null
    buyer_email: string | null
    payment_method: string
    easy_ship_status: string | null
    invoice_status: string | null
    supply_source_id: string | null
    store_chain_store_id: string | null
    is_pickup: number
    /** 1 if the pieces were taken from the stock of the listings */
    takes_stock: number
    /** JSON */
    details: string
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
    /** JSON */
    details: string
  }
  order_packages: {
    seller_id: string
    order_id: string
    package_reference_id: string
    carrier_code: string
    carrier_name: string | null
    shipping_method: string | null
    tracking_number: string | null
    shipped_at: string
    created_at: string
    supply_source_id: string | null
    /** JSON */
    items: string
  }
  stock_taken: {
    seller_id: string
    order_id: string
    sku: string
    stock_id: string
    pieces: number
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
}
