import type { ItemId } from './offers.ts'

const ITEM = /^\/products\/pricing\/v0\/items\/([^/?]+)\/offers$/
const LISTING = /^\/products\/pricing\/v0\/listings\/([^/?]+)\/offers$/

/** Returns the product in a path of getItemOffers. */
export function parseItemUri(uri: string): ItemId | undefined {
  const asin = parsePath(uri, ITEM)
  return asin === undefined ? undefined : { ASIN: asin }
}

/** Returns the listing in a path of getListingOffers. */
export function parseListingUri(uri: string): ItemId | undefined {
  const sku = parsePath(uri, LISTING)
  return sku === undefined ? undefined : { SellerSKU: sku }
}

function parsePath(uri: string, path: RegExp): string | undefined {
  const [, encoded] = path.exec(uri) ?? []
  if (encoded === undefined) return undefined
  try {
    const name = decodeURIComponent(encoded)
    // PostgreSQL rejects text with a NUL, even as a parameter of a search.
    return name.includes('\0') ? undefined : name
  } catch {
    return undefined
  }
}
