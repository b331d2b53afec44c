import { MAX_TUPLES } from '../../platform/database/tuples.ts'
import type { PageRequest } from '../../platform/paging.ts'

export type KeyOf<Row> = readonly (keyof Row & string)[] | ((row: Row) => readonly string[])

/** Pages of rows that are sorted by their key. */
export async function* pages<Row extends object>(
  list: (page: PageRequest) => Promise<readonly Row[]>,
  keyOf: KeyOf<Row>,
): AsyncGenerator<readonly Row[]> {
  let after: readonly string[] | undefined
  for (;;) {
    const rows = await list({ limit: MAX_TUPLES, ...(after && { after }) })
    if (rows.length > 0) yield rows
    if (rows.length < MAX_TUPLES) return
    const last = rows.at(-1) as Row
    after = typeof keyOf === 'function' ? keyOf(last) : keyOf.map((name) => String(last[name]))
  }
}
