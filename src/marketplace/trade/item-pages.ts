import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isAtOrAfter } from '../../platform/database/tuples.ts'

/** A position in a list of items: the time and id of the order or return, and the id of the item in it. */
export type ItemPosition = readonly [time: string, id: string, itemId: string]

/**
 * Selects the items after `after`, or those from the time `from`. The columns are those that the list is sorted by. An
 * index finds time and id, but the id of an item is in another table.
 */
export function isAfterItem(columns: ItemPosition, from: string, after: ItemPosition | undefined): RawBuilder<SqlBool> {
  const [timeColumn, idColumn, itemColumn] = columns
  const [time, id, itemId] = after ?? [from, '', '']
  const start = sql<SqlBool>`${isAtOrAfter([timeColumn, idColumn], [time, id])}`
  if (!after) return start
  return sql<SqlBool>`${start} and (${sql.ref(idColumn)} <> ${id} or ${sql.ref(itemColumn)} > ${itemId})`
}
