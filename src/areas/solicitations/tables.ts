import type { MarketplaceTables } from '../../marketplace/tables.ts'

export interface SolicitationTables extends MarketplaceTables {
  solicitations: {
    seller_id: string
    order_id: string
    /** `api` or `console` */
    sent_through: string
    sent_at: string
  }
}
