import type { Reader } from '../../platform/database/port.ts'

/** Finds the products of a seller's SKUs, in any order. SKUs without a product are ignored. */
export type FindAsinsBySku = (
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  skus: readonly string[],
) => Promise<string[]>
