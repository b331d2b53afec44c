import { ENVELOPE_END, envelopeStart } from '../../../document-requests/amazon-envelope.ts'
import { formatMinor } from '../../../marketplace/money.ts'
import { listOrderItems, type OrderItemRow } from '../../../marketplace/trade/order-item-pages.ts'
import { detailsOf } from '../../../marketplace/trade/order-rows.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import { element, escapeXml } from '../../../platform/xml.ts'
import { toDocumentTime } from '../formats/times.ts'
import { fulfillmentChannel, itemStatus, orderStatus } from './order-columns.ts'
import { readPages } from './pages.ts'
import { type ReportType, XML } from './report-type.ts'

export const ordersXml: ReportType = {
  name: 'GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  contentType: XML,
  defaultDays: 30,
  write: ({ database }, scope) =>
    writeXml(
      readPages<OrderItemRow>(database, (reader, page) => listOrderItems(reader, scope, { by: 'purchased_at' }, page)),
    ),
}

/** Closes an order at the first item of the next one, because its items can span two pages. */
async function* writeXml(pages: AsyncIterable<OrderItemRow[]>): AsyncGenerator<TextChunk> {
  let text = envelopeStart('AllOrdersReport')
  let openOrderId: string | undefined
  for await (const rows of pages) {
    for (const row of rows) {
      if (openOrderId !== row.order_id) {
        if (openOrderId !== undefined) text += '</Order></Message>\n'
        text += `<Message><Order>${orderDetails(row)}`
        openOrderId = row.order_id
      }
      text += orderItem(row)
    }
    yield { text, rows: rows.length }
    text = ''
  }
  if (openOrderId !== undefined) yield { text: `</Order></Message>\n${ENVELOPE_END}`, rows: 0 }
}

const orderDetails = (row: OrderItemRow) =>
  element('AmazonOrderID', row.order_id) +
  element('PurchaseDate', toDocumentTime(row.purchased_at)) +
  element('LastUpdatedDate', toDocumentTime(row.updated_at)) +
  element('OrderStatus', orderStatus(row)) +
  element('SalesChannel', row.sales_channel) +
  `<FulfillmentData>${
    element('FulfillmentChannel', fulfillmentChannel(row)) +
    element('ShipServiceLevel', row.ship_service_level) +
    address(row)
  }</FulfillmentData>` +
  element('IsBusinessOrder', String(detailsOf(row).isBusinessOrder ?? false))

const address = (row: OrderItemRow) =>
  `<Address>${
    element('City', row.ship_city) +
    element('State', row.ship_state) +
    element('PostalCode', row.ship_postal_code) +
    element('Country', row.ship_country_code)
  }</Address>`

const orderItem = (row: OrderItemRow) =>
  `<OrderItem>${
    element('AmazonOrderItemCode', row.order_item_id) +
    element('ASIN', row.asin) +
    element('SKU', row.sku) +
    element('ItemStatus', itemStatus(row)) +
    element('ProductName', row.title) +
    element('Quantity', row.quantity)
  }<ItemPrice>${
    component('Principal', row.price_minor, row) +
    component('Tax', row.tax_minor, row) +
    component('Shipping', row.shipping_price_minor, row)
  }</ItemPrice></OrderItem>`

function component(type: string, minor: number, { currency_code }: OrderItemRow): string {
  const amount = formatMinor(minor, currency_code)
  return `<Component>${element('Type', type)}<Amount currency="${escapeXml(currency_code)}">${amount}</Amount></Component>`
}
