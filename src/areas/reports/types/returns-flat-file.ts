import { formatMinor } from '../../../marketplace/money.ts'
import { listReturnedItems, type ReturnedItemRow } from '../../../marketplace/trade/returned-item-pages.ts'
import { toDocumentTime } from '../formats/times.ts'
import { type Columns, emptyValue, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

const columns: Columns<ReturnedItemRow> = [
  ['Order ID', (row) => row.order_id],
  ['Order date', (row) => toDocumentTime(row.purchased_at)],
  ['Return request date', (row) => toDocumentTime(row.requested_at)],
  ['Return request status', (row) => row.status],
  ['Amazon RMA ID', (row) => row.rma_id],
  ['Merchant RMA ID', (row) => row.merchant_rma_id],
  ['Label type', (row) => row.label_type],
  ['Label cost', (row) => formatMinor(row.label_cost_minor, row.currency_code)],
  ['Currency code', (row) => row.currency_code],
  ['Return carrier', (row) => row.label_carrier],
  ['Tracking ID', (row) => row.label_tracking_id],
  ['Label to be paid by', (row) => row.label_paid_by],
  ['A-to-Z Claim', (row) => (row.a_to_z_claim ? 'Y' : 'N')],
  ['Is prime', (row) => (row.is_prime ? 'Y' : 'N')],
  ['ASIN', (row) => row.asin],
  ['Merchant SKU', (row) => row.sku],
  ['Item Name', (row) => row.title],
  ['Return quantity', (row) => row.quantity],
  ['Return Reason', (row) => row.reason_code],
  ['In policy', (row) => (row.in_policy ? 'Y' : 'N')],
  ['Return type', (row) => row.return_type],
  ['Resolution', (row) => row.resolution],
  ['Invoice number', (row) => row.invoice_number],
  ['Return delivery date', (row) => toDocumentTime(row.delivered_at)],
  ['Order Amount', (row) => formatMinor(row.order_amount_minor, row.currency_code)],
  ['Order quantity', (row) => row.order_quantity],
  ['SafeT Action reason', emptyValue],
  ['SafeT claim id', emptyValue],
  ['SafeT claim state', emptyValue],
  ['SafeT claim creation time', emptyValue],
  ['SafeT claim reimbursement amount', emptyValue],
  ['Refunded Amount', (row) => formatMinor(row.refund_minor, row.currency_code)],
]

export const returnsFlatFile: ReportType = {
  name: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
  contentType: TEXT,
  defaultDays: 60,
  write: ({ database }, scope) =>
    writeFlatFile(
      readPages<ReturnedItemRow>(database, (reader, page) => listReturnedItems(reader, scope, page)),
      columns,
    ),
}
