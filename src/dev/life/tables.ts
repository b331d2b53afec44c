export interface LifeTables {
  life_plans: {
    due_at: string
    plan_id: string
    /** CANCEL, SHIP, DELIVER, RETURN, RATE or RESTOCK */
    act: string
    seller_id: string
    /** The id of an order, or for RESTOCK the marketplace and the SKU */
    subject: string
  }
}
