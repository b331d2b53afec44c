import type { Client } from 'pg'

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Plan[]
}

/** Counts the rows of a table that the scans of a statement return or filter out. Its changes are rolled back. */
export async function countRowsRead(
  client: Client,
  table: string,
  { sql, values = [] }: { sql: string; values?: readonly unknown[] },
): Promise<number> {
  await client.query('begin')
  const explained = await client.query(`explain (analyze, format json) ${sql}`, [...values])
  await client.query('rollback')
  return countRows(explained.rows[0]['QUERY PLAN'][0].Plan, table)
}

function countRows(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  const below = plan.Plans?.map((part) => countRows(part, table)) ?? []
  return below.reduce((sum, rows) => sum + rows, own * plan['Actual Loops'])
}
