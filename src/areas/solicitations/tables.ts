import type { TradeTables } from '../../marketplace/trade/tables.ts'

export interface SolicitationTables extends TradeTables {
  solicitations: {
    seller_id: string
    order_id: string
    /** `api` or `console` */
    sent_through: string
    sent_at: string
  }
}
