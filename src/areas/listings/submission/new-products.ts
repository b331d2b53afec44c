import {
  findAsinByIdentifier,
  IDENTIFIER_TYPES,
  type IdentifierType,
  lockIdentifiers,
  type MarketplaceIdentifier,
} from '../../../marketplace/catalog/index.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'

export const IDENTIFIER_ATTRIBUTE = 'externally_assigned_product_identifier'

/** Reads the identifiers of a product from its attribute, which may not be valid yet. */
export function parseIdentifiers(marketplaceId: string, entries: unknown): MarketplaceIdentifier[] {
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry) => {
    const { type, value } = (entry ?? {}) as { type?: unknown; value?: unknown }
    const known = IDENTIFIER_TYPES.find((one) => one.toLowerCase() === String(type).toLowerCase())
    return known && typeof value === 'string' ? [{ marketplaceId, type: known as IdentifierType, value }] : []
  })
}

/**
 * Locks the identifiers of those products that do not exist yet. A transaction that adds several products calls this first:
 * if it locked one product after the other, it and another one could wait for each other.
 */
export async function lockNewProducts(
  tx: Transaction,
  products: readonly (readonly MarketplaceIdentifier[])[],
): Promise<void> {
  const found = await Promise.all(products.map((identifiers) => findAsinByIdentifiers(tx, identifiers)))
  const added = products.filter((_, index) => found[index] === undefined)
  await lockIdentifiers(tx, added.flat())
}

export async function findAsinByIdentifiers(reader: Reader, identifiers: readonly MarketplaceIdentifier[]) {
  for (const { marketplaceId, ...identifier } of identifiers) {
    const asin = await findAsinByIdentifier(reader, marketplaceId, identifier)
    if (asin !== undefined) return asin
  }
  return undefined
}
