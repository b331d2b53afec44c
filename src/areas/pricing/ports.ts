import type { Reader } from '../../platform/database/port.ts'

/** A port: the seller's listings among these SKUs, with the product of each that has one. */
export type FindListedProducts = (
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  skus: readonly string[],
) => Promise<{ sku: string; asin?: string }[]>
