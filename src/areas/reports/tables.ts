export interface ReportTables {
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
    /** Set when processing starts, so that a retry writes to the same key. Exposed once the report is done. */
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
    /** The first run. All others are computed from it. */
    first_at: string
    next_at: string
  }
}
