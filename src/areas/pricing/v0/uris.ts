import type { ItemId } from './offers.ts'

const ITEM = /^\/products\/pricing\/v0\/items\/([^/?]+)\/offers$/
const LISTING = /^\/products\/pricing\/v0\/listings\/([^/?]+)\/offers$/

/** The product that the path of getItemOffers names. */
export function parseItemUri(uri: string): ItemId | undefined {
  const asin = parsePath(uri, ITEM)
  return asin === undefined ? undefined : { ASIN: asin }
}

/** The listing that the path of getListingOffers names. */
export function parseListingUri(uri: string): ItemId | undefined {
  const sku = parsePath(uri, LISTING)
  return sku === undefined ? undefined : { SellerSKU: sku }
}

function parsePath(uri: string, path: RegExp): string | undefined {
  const [, encoded] = path.exec(uri) ?? []
  if (encoded === undefined) return undefined
  try {
    const name = decodeURIComponent(encoded)
    // No database has such a name, and PostgreSQL cannot even look for it.
    return name.includes('\0') ? undefined : name
  } catch {
    return undefined
  }
}
