import { listSubmittedFeedback, type SubmittedFeedbackRow } from '../../../marketplace/trade/feedback.ts'
import { toDocumentTime } from '../formats/times.ts'
import { type Columns, writeFlatFile } from './flat-file.ts'
import { readPages } from './pages.ts'
import { type ReportType, TEXT } from './report-type.ts'

const columns: Columns<SubmittedFeedbackRow> = [
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
  write: ({ database }, scope) =>
    writeFlatFile(
      readPages<SubmittedFeedbackRow>(database, (reader, page) => listSubmittedFeedback(reader, scope, page)),
      columns,
    ),
}
