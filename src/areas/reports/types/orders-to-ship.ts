import { listOrderItems, type OrderItemRow } from '../../../marketplace/trade/order-item-pages.ts'
import { detailsOf } from '../../../marketplace/trade/order-rows.ts'
import { toDocumentTime } from '../formats/times.ts'
import { type Columns, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

const columns: Columns<OrderItemRow> = [
  ['order-id', (row) => row.order_id],
  ['order-item-id', (row) => row.order_item_id],
  ['purchase-date', (row) => toDocumentTime(row.purchased_at)],
  ['payments-date', (row) => toDocumentTime(row.purchased_at)],
  ['reporting-date', (row) => toDocumentTime(row.updated_at)],
  ['promise-date', (row) => toDocumentTime(row.latest_ship_at)],
  ['buyer-email', (row) => row.buyer_email],
  ['buyer-name', (row) => detailsOf(row).buyer?.name],
  ['buyer-phone-number', (row) => detailsOf(row).shipTo?.phone],
  ['sku', (row) => row.sku],
  ['product-name', (row) => row.title],
  ['quantity-purchased', (row) => row.quantity],
  ['quantity-shipped', (row) => row.quantity_shipped],
  ['quantity-to-ship', (row) => row.quantity - row.quantity_shipped],
  ['ship-service-level', (row) => row.ship_service_level],
  ['recipient-name', (row) => detailsOf(row).shipTo?.name],
  ['ship-address-1', (row) => detailsOf(row).shipTo?.addressLine1],
  ['ship-address-2', (row) => detailsOf(row).shipTo?.addressLine2],
  ['ship-address-3', (row) => detailsOf(row).shipTo?.addressLine3],
  ['ship-city', (row) => row.ship_city],
  ['ship-state', (row) => row.ship_state],
  ['ship-postal-code', (row) => row.ship_postal_code],
  ['ship-country', (row) => row.ship_country_code],
]

/** Unshipped orders. Restricted, because it contains names and addresses of buyers. */
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
