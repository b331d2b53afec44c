import type { AccountTables } from '../../marketplace/accounts/tables.ts'
import type { TradeTables } from '../../marketplace/trade/tables.ts'

export interface ReportTables extends AccountTables, TradeTables {
  reports: {
    seller_id: string
    report_id: string
    application_id: string | null
    report_type: string
    /** JSON */
    marketplace_ids: string
    /** JSON */
    options: string
    status: string
    created_at: string
    data_start_at: string
    data_end_at: string
    schedule_id: string | null
    started_at: string | null
    ended_at: string | null
    /** Set when processing starts, so that whoever starts over writes to the same place; told when it is done. */
    document_id: string | null
  }
  report_schedules: {
    seller_id: string
    schedule_id: string
    application_id: string | null
    report_type: string
    /** JSON */
    marketplace_ids: string
    /** JSON */
    options: string
    period: string
    /** From which all others are counted. */
    first_at: string
    next_at: string
  }
  /** As much of the sellers' listings as reports tell. */
  listings: {
    seller_id: string
    sku: string
    marketplace_id: string
    state: string
    asin: string | null
    item_name: string | null
    main_image: string | null
    condition_type: string
    channel: string
    quantity: number | null
    price_minor: number | null
    price_currency: string | null
    is_buyable: number
    created_at: string
  }
}
