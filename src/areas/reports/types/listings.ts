import { formatMinor } from '../../../marketplace/money.ts'
import type { SaleScope } from '../../../marketplace/trade/sale-scope.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import { toDocumentTime } from '../formats/times.ts'
import type { ReportTables } from '../tables.ts'
import { type Columns, emptyValue, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

const db = queryBuilder<ReportTables>()

type Row = Awaited<ReturnType<typeof readPage>>[number]

/** Which listings a report is about. */
type Selection = 'all' | 'active' | 'inactive'

/** The listings that there is a record of, in the order of their SKUs. */
async function readPage(
  reader: Reader,
  { sellerId, marketplaceIds }: SaleScope,
  selection: Selection,
  { after, limit }: { after: { sku: string; marketplace_id: string } | undefined; limit: number },
) {
  let query = db
    .selectFrom('listings')
    .select([
      'sku',
      'marketplace_id',
      'asin',
      'item_name',
      'main_image',
      'condition_type',
      'channel',
      'quantity',
      'price_minor',
      'price_currency',
      'is_buyable',
      'created_at',
    ])
    .where('seller_id', '=', sellerId)
    .where('marketplace_id', 'in', marketplaceIds)
    .where('state', '<>', 'UNKNOWN')
    .orderBy('sku')
    .orderBy('marketplace_id')
    .limit(limit)
  if (selection !== 'all') query = query.where('is_buyable', '=', Number(selection === 'active'))
  if (after) query = query.where(isAfter(['sku', 'marketplace_id'], [after.sku, after.marketplace_id]))
  return reader.all(query)
}

const price = (row: Row) =>
  row.price_minor === null || row.price_currency === null ? null : formatMinor(row.price_minor, row.price_currency)

// The numbers by which flat files have always called the conditions.
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

// The names are historical and clients look values up by them, so they all stand there, with or without a value.
const merchantListing: Columns<Row> = [
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
const withStatus: Columns<Row> = [
  ...merchantListing,
  ['merchant-shipping-group', emptyValue],
  ['status', (row) => (row.is_buyable ? 'Active' : 'Inactive')],
]
const openListing: Columns<Row> = [
  ['sku', (row) => row.sku],
  ['asin', (row) => row.asin],
  ['price', price],
  ['quantity', (row) => row.quantity],
]

const listingsReport = (name: string, selection: Selection, columns: Columns<Row>): ReportType => ({
  name,
  contentType: TEXT,
  write: (database, scope) =>
    writeFlatFile(
      readPages<Row>(database, (reader, page) => readPage(reader, scope, selection, page)),
      columns,
    ),
})

export const allListings = listingsReport('GET_MERCHANT_LISTINGS_ALL_DATA', 'all', withStatus)
export const activeListings = listingsReport('GET_MERCHANT_LISTINGS_DATA', 'active', merchantListing)
export const inactiveListings = listingsReport('GET_MERCHANT_LISTINGS_INACTIVE_DATA', 'inactive', merchantListing)
export const openListings = listingsReport('GET_FLAT_FILE_OPEN_LISTINGS_DATA', 'active', openListing)
