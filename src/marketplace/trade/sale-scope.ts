/** Selects sales by seller, marketplace and time. Times are in the stored format. */
export interface SaleScope {
  sellerId: string
  marketplaceIds: readonly string[]
  from: string
  /** Inclusive. */
  to: string
}
