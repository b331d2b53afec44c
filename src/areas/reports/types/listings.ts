import { formatMinor } from '../../../marketplace/money.ts'
import type { Database } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { toDocumentTime } from '../formats/times.ts'
import type { ReportTables } from '../tables.ts'
import { type Columns, nothing, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportScope, type ReportType, TEXT } from './report-type.ts'

// More than in other reports: each page goes through all of the seller's orders again.
const PAGE_ROWS = 1000

const db = queryBuilder<ReportTables>()

type Row = Awaited<ReturnType<typeof readPage>>[number]

/** What the seller is known to sell: until there are listings, the products of its orders. All of them are active. */
async function readPage(
  database: Database,
  { sellerId, marketplaceIds }: ReportScope,
  after?: { sku: string; asin: string },
) {
  let query = db
    .selectFrom('order_items')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.seller_id', '=', 'order_items.seller_id')
        .onRef('orders.order_id', '=', 'order_items.order_id'),
    )
    .select((eb) => [
      'sku',
      'asin',
      eb.fn.max('title').as('title'),
      eb.fn.min('purchased_at').as('opened_at'),
      eb.fn.max('currency_code').as('currency_code'),
      eb.fn.max<number>(eb('price_minor', '/', eb.ref('quantity'))).as('price_minor'),
    ])
    .where('orders.seller_id', '=', sellerId)
    .where('orders.marketplace_id', 'in', marketplaceIds)
    .where('quantity', '>', 0)
    .groupBy('sku')
    .groupBy('asin')
    .orderBy('sku')
    .orderBy('asin')
    .limit(PAGE_ROWS)
  if (after) {
    query = query.where((eb) =>
      eb.or([eb('sku', '>', after.sku), eb('sku', '=', after.sku).and('asin', '>', after.asin)]),
    )
  }
  return database.read((reader) => reader.all(query))
}

const price = (row: Row) => formatMinor(row.price_minor, row.currency_code)

// The names are historical and clients look values up by them, so they all stand there, with or without a value.
const merchantListing: Columns<Row> = [
  ['item-name', (row) => row.title],
  ['item-description', nothing],
  ['listing-id', nothing],
  ['seller-sku', (row) => row.sku],
  ['price', price],
  ['quantity', nothing],
  ['open-date', (row) => toDocumentTime(row.opened_at)],
  ['image-url', nothing],
  ['item-is-marketplace', () => 'y'],
  ['product-id-type', () => 1],
  ['zshop-shipping-fee', nothing],
  ['item-note', nothing],
  ['item-condition', () => 11],
  ['zshop-category1', nothing],
  ['zshop-browse-path', nothing],
  ['zshop-storefront-feature', nothing],
  ['asin1', (row) => row.asin],
  ['asin2', nothing],
  ['asin3', nothing],
  ['will-ship-internationally', nothing],
  ['expedited-shipping', nothing],
  ['zshop-boldface', nothing],
  ['product-id', (row) => row.asin],
  ['bid-for-featured-placement', nothing],
  ['add-delete', nothing],
  ['pending-quantity', () => 0],
  ['fulfillment-channel', () => 'DEFAULT'],
]
const withStatus: Columns<Row> = [...merchantListing, ['merchant-shipping-group', nothing], ['status', () => 'Active']]
const openListing: Columns<Row> = [
  ['sku', (row) => row.sku],
  ['asin', (row) => row.asin],
  ['price', price],
  ['quantity', nothing],
]

const listingsReport = (name: string, columns: Columns<Row>): ReportType => ({
  name,
  contentType: TEXT,
  write: (database, scope) =>
    writeFlatFile(
      readPages<Row>((after) => readPage(database, scope, after), PAGE_ROWS),
      columns,
    ),
})

export const allListings = listingsReport('GET_MERCHANT_LISTINGS_ALL_DATA', withStatus)
export const activeListings = listingsReport('GET_MERCHANT_LISTINGS_DATA', merchantListing)
export const openListings = listingsReport('GET_FLAT_FILE_OPEN_LISTINGS_DATA', openListing)
export const inactiveListings: ReportType = {
  name: 'GET_MERCHANT_LISTINGS_INACTIVE_DATA',
  contentType: TEXT,
  async *write() {},
}
