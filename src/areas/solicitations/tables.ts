export interface SolicitationTables {
  solicitations: {
    seller_id: string
    order_id: string
    /** `api` or `console` */
    sent_through: string
    sent_at: string
  }
}
