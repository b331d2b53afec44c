import { ENVELOPE_END, envelopeStart } from '../../../document-requests/amazon-envelope.ts'
import { formatMinor } from '../../../marketplace/money.ts'
import { listReturnedItems, type ReturnedItemRow } from '../../../marketplace/trade/returned-item-pages.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import { element } from '../../../platform/xml.ts'
import { toDocumentTime } from '../formats/times.ts'
import { readPages } from './pages.ts'
import { type ReportType, XML } from './report-type.ts'

export const returnsXml: ReportType = {
  name: 'GET_XML_RETURNS_DATA_BY_RETURN_DATE',
  contentType: XML,
  defaultDays: 60,
  write: ({ database }, scope) =>
    writeXml(readPages<ReturnedItemRow>(database, (reader, page) => listReturnedItems(reader, scope, page))),
}

/** Closes a return at the first item of the next one, because its items can span two pages. */
async function* writeXml(pages: AsyncIterable<ReturnedItemRow[]>): AsyncGenerator<TextChunk> {
  let text = `${envelopeStart('Returns-Report')}<Message>\n`
  let open: ReturnedItemRow | undefined
  for await (const rows of pages) {
    for (const row of rows) {
      if (open?.rma_id !== row.rma_id) {
        if (open) text += closeReturn(open)
        text += '<return_details>'
        open = row
      }
      text += itemDetails(row)
    }
    yield { text, rows: rows.length }
    text = ''
  }
  if (open) yield { text: `${closeReturn(open)}</Message>\n${ENVELOPE_END}`, rows: 0 }
}

const itemDetails = (row: ReturnedItemRow) =>
  `<item_details>${
    element('item_name', row.title) +
    element('asin', row.asin) +
    element('return_reason_code', row.reason_code) +
    element('merchant_sku', row.sku) +
    element('in_policy', row.in_policy ? 'Y' : 'N') +
    element('return_quantity', row.quantity) +
    element('resolution', row.resolution) +
    element('category', row.category) +
    element('refund_amount', formatMinor(row.refund_minor, row.currency_code))
  }</item_details>`

const closeReturn = (row: ReturnedItemRow) =>
  `${
    element('order_id', row.order_id) +
    element('order_date', toDocumentTime(row.purchased_at)) +
    element('amazon_rma_id', row.rma_id) +
    element('merchant_rma_id', row.merchant_rma_id) +
    element('return_request_date', toDocumentTime(row.requested_at)) +
    element('return_request_status', row.status) +
    element('a_to_z_claim', row.a_to_z_claim ? 'true' : 'false') +
    element('is_prime', row.is_prime ? 'Y' : 'N') +
    labelDetails(row) +
    element('label_to_be_paid_by', row.label_paid_by) +
    element('return_type', row.return_type) +
    element('order_amount', formatMinor(row.order_amount_minor, row.currency_code)) +
    element('order_quantity', row.order_quantity) +
    element('invoice_number', row.invoice_number) +
    element('return_delivery_date', toDocumentTime(row.delivered_at))
  }</return_details>\n`

const labelDetails = (row: ReturnedItemRow) =>
  `<label_details>${
    element('tracking_id', row.label_tracking_id) +
    element('return_carrier', row.label_carrier) +
    element('currency_code', row.currency_code) +
    element('label_cost', formatMinor(row.label_cost_minor, row.currency_code)) +
    element('label_type', row.label_type)
  }</label_details>`
