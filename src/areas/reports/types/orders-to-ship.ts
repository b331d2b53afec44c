import { listOrderItems, type OrderItemRow } from '../../../marketplace/trade/order-item-pages.ts'
import { toDocumentTime } from '../formats/times.ts'
import { type Columns, emptyValue, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

// Souk knows only the city and country of a buyer; the operator never supplies names and streets.
const columns: Columns<OrderItemRow> = [
  ['order-id', (row) => row.order_id],
  ['order-item-id', (row) => row.order_item_id],
  ['purchase-date', (row) => toDocumentTime(row.purchased_at)],
  ['payments-date', (row) => toDocumentTime(row.purchased_at)],
  ['reporting-date', (row) => toDocumentTime(row.updated_at)],
  ['promise-date', (row) => toDocumentTime(row.latest_ship_at)],
  ['buyer-email', emptyValue],
  ['buyer-name', emptyValue],
  ['buyer-phone-number', emptyValue],
  ['sku', (row) => row.sku],
  ['product-name', (row) => row.title],
  ['quantity-purchased', (row) => row.quantity],
  ['quantity-shipped', (row) => row.quantity_shipped],
  ['quantity-to-ship', (row) => row.quantity - row.quantity_shipped],
  ['ship-service-level', (row) => row.ship_service_level],
  ['recipient-name', emptyValue],
  ['ship-address-1', emptyValue],
  ['ship-address-2', emptyValue],
  ['ship-address-3', emptyValue],
  ['ship-city', (row) => row.ship_city],
  ['ship-state', (row) => row.ship_state],
  ['ship-postal-code', (row) => row.ship_postal_code],
  ['ship-country', (row) => row.ship_country_code],
]

/** Unshipped orders. Restricted, because it contains the location of buyers. */
export const ordersToShip: ReportType = {
  name: 'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING',
  contentType: TEXT,
  restricted: true,
  defaultDays: 30,
  write: ({ database }, scope) =>
    writeFlatFile(
      readPages<OrderItemRow>(database, (reader, page) =>
        listOrderItems(reader, scope, { by: 'purchased_at', unshipped: true }, page),
      ),
      columns,
    ),
}
