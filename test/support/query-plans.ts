import type { Client } from 'pg'

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Plan[]
}

/** Runs a statement, and counts the rows of a table that its scans return or filter out. */
export async function countRowsRead(
  client: Client,
  table: string,
  { sql, values = [] }: { sql: string; values?: readonly unknown[] },
): Promise<number> {
  const explained = await client.query(`explain (analyze, format json) ${sql}`, [...values])
  return countRows(explained.rows[0]['QUERY PLAN'][0].Plan, table)
}

function countRows(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  const below = plan.Plans?.map((part) => countRows(part, table)) ?? []
  return below.reduce((sum, rows) => sum + rows, own * plan['Actual Loops'])
}
