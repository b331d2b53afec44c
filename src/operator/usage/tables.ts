export interface UsageTables {
  usage_counts: {
    /** The beginning of the hour. */
    hour: string
    operation: string
    application_id: string
    /** Empty for a grantless token. */
    seller_id: string
    succeeded: number
    refused: number
    failed: number
  }
}
