import type { Database } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import { toDocumentTime } from '../formats/times.ts'
import type { ReportTables } from '../tables.ts'
import { type Columns, writeFlatFile } from './flat-file.ts'
import { PAGE_ROWS, readPages } from './pages.ts'
import { type ReportScope, type ReportType, TEXT } from './report-type.ts'

const db = queryBuilder<ReportTables>()

type Row = Awaited<ReturnType<typeof readPage>>[number]

async function readPage(
  database: Database,
  { sellerId, marketplaceIds, from, to }: ReportScope,
  after?: { submitted_at: string; order_id: string },
) {
  let query = db
    .selectFrom('feedback')
    .innerJoin('orders', (join) =>
      join.onRef('orders.seller_id', '=', 'feedback.seller_id').onRef('orders.order_id', '=', 'feedback.order_id'),
    )
    .select(['submitted_at', 'rating', 'comment', 'response', 'feedback.order_id', 'rater_email'])
    .where('feedback.seller_id', '=', sellerId)
    .where('submitted_at', '>=', from)
    .where('submitted_at', '<=', to)
    .where('orders.marketplace_id', 'in', marketplaceIds)
    .orderBy('submitted_at')
    .orderBy('feedback.order_id')
    .limit(PAGE_ROWS)
  if (after) query = query.where(isAfter(['submitted_at', 'feedback.order_id'], [after.submitted_at, after.order_id]))
  return database.read((reader) => reader.all(query))
}

const columns: Columns<Row> = [
  ['Date', (row) => toDocumentTime(row.submitted_at)],
  ['Rating', (row) => row.rating],
  ['Comments', (row) => row.comment],
  ['Response', (row) => row.response],
  ['Order ID', (row) => row.order_id],
  ['Rater Email', (row) => row.rater_email],
]

export const feedback: ReportType = {
  name: 'GET_SELLER_FEEDBACK_DATA',
  contentType: TEXT,
  defaultDays: 365,
  write: (database, scope) =>
    writeFlatFile(
      readPages<Row>((after) => readPage(database, scope, after)),
      columns,
    ),
}
