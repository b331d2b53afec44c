import type { Reader } from '../../platform/database/port.ts'
import type { RowPage } from './types/pages.ts'

/** A listing as stored: a report formats rows without mapping them first. */
export interface ListingRow {
  sku: string
  marketplace_id: string
  asin: string | null
  item_name: string | null
  main_image: string | null
  condition_type: string
  channel: string
  quantity: number | null
  price_minor: number | null
  price_currency: string | null
  is_buyable: number
  created_at: string
}

export type ListingSelection = 'all' | 'active' | 'inactive'

/** Lists a page of a seller's listings, sorted by SKU and marketplace. */
export type ListListingRows = (
  reader: Reader,
  scope: { sellerId: string; marketplaceIds: readonly string[] },
  selection: ListingSelection,
  page: RowPage<ListingRow>,
) => Promise<ListingRow[]>
