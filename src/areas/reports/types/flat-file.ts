import type { TextChunk } from '../../../platform/documents/write-compressed.ts'
import { tsvLine } from '../formats/tsv.ts'

type Value = string | number | null | undefined

/** The columns of a flat file: heading and value. */
export type Columns<Row> = readonly (readonly [heading: string, value: (row: Row) => Value])[]

export async function* writeFlatFile<Row>(
  pages: AsyncIterable<Row[]>,
  columns: Columns<Row>,
): AsyncGenerator<TextChunk> {
  let heading = tsvLine(columns.map(([name]) => name))
  for await (const rows of pages) {
    let text = heading
    for (const row of rows) text += tsvLine(columns.map(([, value]) => value(row)))
    yield { text, rows: rows.length }
    heading = ''
  }
}

export const emptyValue = () => null
