import type { SaleScope } from '../../../marketplace/trade/sale-scope.ts'
import type { Database } from '../../../platform/database/port.ts'
import type { TextChunk } from '../../../platform/documents/write-compressed.ts'

export const TEXT = 'text/plain; charset=UTF-8'
export const XML = 'text/xml; charset=UTF-8'
export const JSON_TEXT = 'application/json; charset=UTF-8'

/** A kind of report. One module each; the registry in `index.ts` lists them. */
export interface ReportType {
  name: string
  contentType: string
  /** It tells of buyers, so its document is handed out for a restricted data token only. */
  restricted?: true
  /** How far back it looks when not told. Absent: it shows the present, whatever dates are given. */
  defaultDays?: number
  /** Writes the report a passage at a time. One that has nothing to tell writes nothing at all. */
  write(database: Database, scope: SaleScope): AsyncIterable<TextChunk>
}
