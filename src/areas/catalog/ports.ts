import type { Reader } from '../../platform/database/port.ts'

/** The products of the catalogue that a seller's SKUs stand for: those that have one, in any order. */
export type FindAsinsBySku = (
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  skus: readonly string[],
) => Promise<string[]>
