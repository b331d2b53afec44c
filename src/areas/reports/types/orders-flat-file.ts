import { formatMinor } from '../../../marketplace/money.ts'
import { listOrderItems, type OrderItemRow, type OrderSelection } from '../../../marketplace/trade/order-item-pages.ts'
import { detailsOf } from '../../../marketplace/trade/order-rows.ts'
import { toDocumentTime } from '../formats/times.ts'
import { type Columns, emptyValue, writeFlatFile } from './flat-file.ts'
import { fulfillmentChannel, itemStatus, orderStatus } from './order-columns.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

const columns: Columns<OrderItemRow> = [
  ['amazon-order-id', (row) => row.order_id],
  ['merchant-order-id', (row) => row.seller_order_id],
  ['purchase-date', (row) => toDocumentTime(row.purchased_at)],
  ['last-updated-date', (row) => toDocumentTime(row.updated_at)],
  ['order-status', orderStatus],
  ['fulfillment-channel', fulfillmentChannel],
  ['sales-channel', (row) => row.sales_channel],
  ['order-channel', emptyValue],
  ['url', emptyValue],
  ['ship-service-level', (row) => row.ship_service_level],
  ['product-name', (row) => row.title],
  ['sku', (row) => row.sku],
  ['asin', (row) => row.asin],
  ['item-status', itemStatus],
  ['quantity', (row) => row.quantity],
  ['currency', (row) => row.currency_code],
  ['item-price', (row) => formatMinor(row.price_minor, row.currency_code)],
  ['item-tax', (row) => formatMinor(row.tax_minor, row.currency_code)],
  ['shipping-price', (row) => formatMinor(row.shipping_price_minor, row.currency_code)],
  ['shipping-tax', emptyValue],
  ['gift-wrap-price', emptyValue],
  ['gift-wrap-tax', emptyValue],
  ['item-promotion-discount', emptyValue],
  ['ship-promotion-discount', emptyValue],
  ['ship-city', (row) => row.ship_city],
  ['ship-state', (row) => row.ship_state],
  ['ship-postal-code', (row) => row.ship_postal_code],
  ['ship-country', (row) => row.ship_country_code],
  ['promotion-ids', emptyValue],
  ['is-business-order', (row) => String(detailsOf(row).isBusinessOrder ?? false)],
  ['purchase-order-number', emptyValue],
  ['price-designation', emptyValue],
]

const ordersFlatFile = (name: string, selection: OrderSelection): ReportType => ({
  name,
  contentType: TEXT,
  defaultDays: 30,
  write: ({ database }, scope) =>
    writeFlatFile(
      readPages<OrderItemRow>(database, (reader, page) => listOrderItems(reader, scope, selection, page)),
      columns,
    ),
})

export const ordersByOrderDate = ordersFlatFile('GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', {
  by: 'purchased_at',
})
export const ordersByLastUpdate = ordersFlatFile('GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL', {
  by: 'updated_at',
})
