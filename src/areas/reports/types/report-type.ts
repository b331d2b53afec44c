import type { SaleScope } from '../../../marketplace/trade/sale-scope.ts'
import type { Database } from '../../../platform/database/port.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import type { ListListingRows } from '../ports.ts'

export const TEXT = 'text/plain; charset=UTF-8'
export const XML = 'text/xml; charset=UTF-8'
export const JSON_TEXT = 'application/json; charset=UTF-8'

/** What report types read from. */
export interface ReportSources {
  database: Database
  listListingRows: ListListingRows
}

/** A report type. One module each; `index.ts` lists them. */
export interface ReportType {
  name: string
  contentType: string
  /** The report contains personal data of buyers: its document requires a restricted data token. */
  restricted?: true
  /** Default length of the period. Absent for reports about the present, which ignore dates. */
  defaultDays?: number
  /** Writes the report in chunks. A report without data writes nothing. */
  write(sources: ReportSources, scope: SaleScope): AsyncIterable<TextChunk>
}
