import { hash } from 'node:crypto'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'

const db = queryBuilder<Record<string, Record<string, string>>>()

// What trade changes. Tokens, jobs and so on depend on the caller.
const TABLES = [
  'orders',
  'order_items',
  'order_packages',
  'returns',
  'return_items',
  'feedback',
  'offers',
  'listings',
  'life_plans',
  'settings',
]

/** Every row that trade has written, in the order of their text, which no database has a part in. */
export async function exportTrade(database: Database): Promise<string[]> {
  return database.read(async (reader) => {
    const rows: string[] = []
    for (const table of TABLES) {
      for (const row of await reader.all(db.selectFrom(table).selectAll())) {
        rows.push(`${table} ${JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))}`)
      }
    }
    return rows.sort()
  })
}

export const digestOf = (rows: readonly string[]) => hash('sha256', rows.join('\n'))
