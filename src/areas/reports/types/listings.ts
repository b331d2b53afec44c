import { formatMinor } from '../../../marketplace/money.ts'
import { toDocumentTime } from '../formats/times.ts'
import type { ListingRow, ListingSelection } from '../ports.ts'
import { type Columns, emptyValue, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

const price = (row: ListingRow) =>
  row.price_minor === null || row.price_currency === null ? null : formatMinor(row.price_minor, row.price_currency)

// The condition numbers of flat files.
const conditionNumbers: Record<string, number> = {
  used_like_new: 1,
  used_very_good: 2,
  used_good: 3,
  used_acceptable: 4,
  collectible_like_new: 5,
  collectible_very_good: 6,
  collectible_good: 7,
  collectible_acceptable: 8,
  refurbished_refurbished: 10,
  new_new: 11,
}

// The headings are historical. Clients look values up by heading, so every column is present, with or without a value.
const merchantListing: Columns<ListingRow> = [
  ['item-name', (row) => row.item_name],
  ['item-description', emptyValue],
  ['listing-id', emptyValue],
  ['seller-sku', (row) => row.sku],
  ['price', price],
  ['quantity', (row) => row.quantity],
  ['open-date', (row) => toDocumentTime(row.created_at)],
  ['image-url', (row) => row.main_image],
  ['item-is-marketplace', () => 'y'],
  ['product-id-type', () => 1],
  ['zshop-shipping-fee', emptyValue],
  ['item-note', emptyValue],
  ['item-condition', (row) => conditionNumbers[row.condition_type] ?? 11],
  ['zshop-category1', emptyValue],
  ['zshop-browse-path', emptyValue],
  ['zshop-storefront-feature', emptyValue],
  ['asin1', (row) => row.asin],
  ['asin2', emptyValue],
  ['asin3', emptyValue],
  ['will-ship-internationally', emptyValue],
  ['expedited-shipping', emptyValue],
  ['zshop-boldface', emptyValue],
  ['product-id', (row) => row.asin],
  ['bid-for-featured-placement', emptyValue],
  ['add-delete', emptyValue],
  ['pending-quantity', () => 0],
  ['fulfillment-channel', (row) => row.channel],
]
const withStatus: Columns<ListingRow> = [
  ...merchantListing,
  ['merchant-shipping-group', emptyValue],
  ['status', (row) => (row.is_buyable ? 'Active' : 'Inactive')],
]
const openListing: Columns<ListingRow> = [
  ['sku', (row) => row.sku],
  ['asin', (row) => row.asin],
  ['price', price],
  ['quantity', (row) => row.quantity],
]

const listingsReport = (name: string, selection: ListingSelection, columns: Columns<ListingRow>): ReportType => ({
  name,
  contentType: TEXT,
  write: ({ database, listListingRows }, scope) =>
    writeFlatFile(
      readPages<ListingRow>(database, (reader, page) => listListingRows(reader, scope, selection, page)),
      columns,
    ),
})

export const allListings = listingsReport('GET_MERCHANT_LISTINGS_ALL_DATA', 'all', withStatus)
export const activeListings = listingsReport('GET_MERCHANT_LISTINGS_DATA', 'active', merchantListing)
export const inactiveListings = listingsReport('GET_MERCHANT_LISTINGS_INACTIVE_DATA', 'inactive', merchantListing)
export const openListings = listingsReport('GET_FLAT_FILE_OPEN_LISTINGS_DATA', 'active', openListing)
