import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'

/** A port: finds the seller's listings among these SKUs, with the product of each that has one. */
export type FindListedProducts = (
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  skus: readonly string[],
) => Promise<{ sku: string; asin?: string }[]>

export interface PricingDependencies {
  database: Database
  clock: Clock
  findListedProducts: FindListedProducts
}
