import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** Rows of a table, each with a number `n`. */
export interface Filling {
  table: string
  /** A row to copy. Default: the columns have the values given, and no others. */
  example?: Record<string, string>
  columns: Record<string, string>
}

/** What the two databases write differently. */
export interface Expressions {
  /** The number with leading zeros. */
  digits(count: number, number?: string): string
  /** A time, from seconds since 1970. */
  time(seconds: string): string
}

type FillingsOf = (expressions: Expressions) => Filling[]

const sqliteExpressions: Expressions = {
  digits: (count, number = 'n') => `printf('%0${count}d', ${number})`,
  time: (seconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
}

const postgresExpressions: Expressions = {
  digits: (count, number = 'n') => `lpad((${number})::text, ${count}, '0')`,
  time: (seconds) => `to_char(to_timestamp(${seconds}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

/** Adds as many rows to each table. Returns how many there are in all. */
export function fillSqlite(file: string, count: number, fillingsOf: FillingsOf): number {
  const sqlite = new Sqlite(file)
  try {
    // An interrupted bench starts over, so nothing has to survive a crash here.
    sqlite.pragma('journal_mode = off')
    sqlite.pragma('synchronous = off')
    sqlite.pragma('foreign_keys = off')
    sqlite.pragma('cache_size = -500000')
    const numbers = `(with recursive numbers (n) as (
      select 0 union all select n + 1 from numbers where n + 1 < ${count}) select n from numbers) as numbers`
    const fillings = fillingsOf(sqliteExpressions)
    for (const filling of fillings) {
      const columns = sqlite.prepare('select name from pragma_table_info(?)').pluck().all(filling.table) as string[]
      const indexes = sqlite
        .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name = ?")
        .all(filling.table) as { name: string; sql: string }[]
      // Building an index at the end is several times faster than adding row by row.
      for (const { name } of indexes) sqlite.exec(`drop index ${name}`)
      sqlite.exec(insertOf(filling, columns, numbers))
      for (const { sql } of indexes) sqlite.exec(sql)
    }
    sqlite.exec('analyze')
    sqlite.pragma('journal_mode = wal')
    return fillings.length * count
  } finally {
    sqlite.close()
  }
}

/** The same. */
export async function fillPostgres(url: string, count: number, fillingsOf: FillingsOf): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const fillings = fillingsOf(postgresExpressions)
    for (const filling of fillings) {
      const { fields } = await client.query(`select * from ${filling.table} limit 0`)
      const { rows: indexes } = await client.query(
        `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename = $1
          and indexname not in (select conname from pg_constraint)`,
        [filling.table],
      )
      for (const { indexname } of indexes) await client.query(`drop index ${indexname}`)
      const names = fields.map(({ name }) => name)
      await client.query(insertOf(filling, names, `generate_series(0, ${count - 1}) as numbers (n)`))
      for (const { indexdef } of indexes) await client.query(indexdef)
    }
    await client.query('vacuum analyze')
    return fillings.length * count
  } finally {
    await client.end()
  }
}

function insertOf({ table, example, columns }: Filling, known: readonly string[], numbers: string): string {
  const names = example ? known : Object.keys(columns)
  const values = names.map((name) => columns[name] ?? `example.${name}`).join(', ')
  const key = Object.entries(example ?? {}).map(([name, value]) => `example.${name} = '${value}'`)
  const from = example
    ? `${numbers} cross join (select * from ${table} as example where ${key.join(' and ')}) as example`
    : numbers
  return `insert into ${table} (${names.join(', ')}) select ${values} from ${from}`
}
