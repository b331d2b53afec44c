// Run as a child process with a data file, a seller and a marketplace: receives a span of time and a file, and writes
// there what src/areas/reports/types/returns-flat-file.ts reports, straight from one cursor. Sends the duration.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import type { ReturnedItemRow } from '../../src/marketplace/trade/returned-item-pages.ts'

export interface ReportQuestion {
  dataStartTime: string
  dataEndTime: string
  target: string
}
export interface ReportAnswer {
  rows: number
  milliseconds: number
}

const CHUNK_CHARACTERS = 256 * 1024
const HEADINGS = [
  ...['Order ID', 'Order date', 'Return request date', 'Return request status', 'Amazon RMA ID', 'Merchant RMA ID'],
  ...['Label type', 'Label cost', 'Currency code', 'Return carrier', 'Tracking ID', 'Label to be paid by'],
  ...['A-to-Z Claim', 'Is prime', 'ASIN', 'Merchant SKU', 'Item Name', 'Return quantity', 'Return Reason', 'In policy'],
  ...['Return type', 'Resolution', 'Invoice number', 'Return delivery date', 'Order Amount', 'Order quantity'],
  ...['SafeT Action reason', 'SafeT claim id', 'SafeT claim state', 'SafeT claim creation time'],
  ...['SafeT claim reimbursement amount', 'Refunded Amount'],
]

const [file, sellerId, marketplaceId] = process.argv.slice(2) as [string, string, string]
const sqlite = new Sqlite(file, { readonly: true })
const findReturns = sqlite.prepare<string[], ReturnedItemRow>(`
  select returns.rma_id, returns.order_id, merchant_rma_id, requested_at, returns.status, is_prime, a_to_z_claim,
    return_type, label_type, label_cost_minor, label_carrier, label_tracking_id, label_paid_by, invoice_number,
    returns.delivered_at, return_items.order_item_id, return_items.quantity, reason_code, in_policy, resolution,
    category, refund_minor, sku, asin, title, purchased_at, currency_code,
    (select sum(price_minor + tax_minor + shipping_price_minor) from order_items as all_items
      where all_items.seller_id = orders.seller_id and all_items.order_id = orders.order_id) as order_amount_minor,
    (select sum(quantity) from order_items as all_items
      where all_items.seller_id = orders.seller_id and all_items.order_id = orders.order_id) as order_quantity
  from returns
  join orders on orders.seller_id = returns.seller_id and orders.order_id = returns.order_id
  join return_items on return_items.seller_id = returns.seller_id and return_items.rma_id = returns.rma_id
  left join order_items on order_items.seller_id = returns.seller_id and order_items.order_id = returns.order_id
    and order_items.order_item_id = return_items.order_item_id
  where orders.fulfillment_channel = 'MFN' and returns.seller_id = ? and orders.marketplace_id = ?
    and requested_at >= ? and requested_at <= ?
  order by requested_at, returns.rma_id, return_items.order_item_id`)

process.once('disconnect', () => process.exit())
process.on('message', async ({ dataStartTime, dataEndTime, target }: ReportQuestion) => {
  const startedAt = performance.now()
  let rows = 0
  // It reads on while what it has read is being compressed, as we do.
  await pipeline(Readable.from(texts(), { highWaterMark: 1 }), createGzip(), createWriteStream(target))
  process.send?.({ rows, milliseconds: performance.now() - startedAt } satisfies ReportAnswer)

  function* texts() {
    let text = `${HEADINGS.join('\t')}\n`
    for (const row of findReturns.iterate(sellerId, marketplaceId, dataStartTime, dataEndTime)) {
      rows++
      text += `${line(row).join('\t')}\n`
      if (text.length < CHUNK_CHARACTERS) continue
      yield text
      text = ''
    }
    yield text
  }
})

const toSecond = (time: string | null) => time && `${time.slice(0, 19)}Z`
const money = (minor: number) => (minor / 100).toFixed(2)
const yesOrNo = (flag: number) => (flag ? 'Y' : 'N')

const line = (row: ReturnedItemRow) => [
  row.order_id,
  toSecond(row.purchased_at),
  toSecond(row.requested_at),
  row.status,
  row.rma_id,
  row.merchant_rma_id,
  row.label_type,
  money(row.label_cost_minor),
  row.currency_code,
  row.label_carrier,
  row.label_tracking_id,
  row.label_paid_by,
  yesOrNo(row.a_to_z_claim),
  yesOrNo(row.is_prime),
  row.asin,
  row.sku,
  row.title,
  row.quantity,
  row.reason_code,
  yesOrNo(row.in_policy),
  row.return_type,
  row.resolution,
  row.invoice_number,
  toSecond(row.delivered_at),
  money(row.order_amount_minor),
  row.order_quantity,
  null,
  null,
  null,
  null,
  null,
  money(row.refund_minor),
]
