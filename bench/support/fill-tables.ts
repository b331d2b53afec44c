import Sqlite from 'better-sqlite3'
import pg from 'pg'

/** Rows of a table. Columns are SQL, in which `blocks` and `units` are those of `NumberTables`. */
export interface Filling {
  table: string
  /** The key of a row that the others are copies of. Default: the columns have the values given, and no others. */
  example?: Record<string, string>
  columns: Record<string, string>
}

export const UNITS = 1_000

// Text is joined from two small tables: formatting numbers and times of each row took most of the time.
const NUMBER_TABLES = [
  'create temp table blocks (n bigint not null, digits text not null, second text not null, later text not null)',
  'create temp table units (n bigint not null, digits text not null)',
]

/** A row with 1,000 others, which share all digits but the last three, and have times in the same second. */
interface Block {
  n: number
  digits: string
  second: string
  later: string
}

/** What fillings are made of. In the order of `n`, so are their keys and times: rows are added at the end of each index. */
export interface Numbers {
  /** How many: a multiple of 1,000. */
  count: number
  /** Times of the rows are in equal distances until then. */
  now: Date
  secondsBetween: number
}

/** Adds as many rows to each table. Returns how many there are in all. */
export function fillSqlite(file: string, numbers: Numbers, fillings: readonly Filling[]): number {
  const sqlite = new Sqlite(file)
  try {
    // An interrupted bench starts over, so nothing has to survive a crash here.
    sqlite.pragma('journal_mode = memory')
    sqlite.pragma('synchronous = off')
    sqlite.pragma('foreign_keys = off')
    sqlite.pragma('cache_size = -500000')
    for (const statement of NUMBER_TABLES) sqlite.exec(statement)
    const addBlock = sqlite.prepare('insert into blocks values (@n, @digits, @second, @later)')
    for (const block of blocksOf(numbers)) addBlock.run(block)
    const addUnit = sqlite.prepare('insert into units values (@n, @digits)')
    for (const unit of UNIT_ROWS) addUnit.run(unit)
    for (const filling of fillings) {
      const query = exampleQuery(filling)
      const example = query === undefined ? {} : (sqlite.prepare(query).get() as Row)
      // Indexes stay: building them at the end takes as long, and reads a table that may be larger than the memory
      // again and again.
      sqlite.exec(insertOf(filling, example, 'blocks cross join units'))
    }
    sqlite.pragma('journal_mode = wal')
    return fillings.length * numbers.count
  } finally {
    sqlite.close()
  }
}

const CONNECTIONS = 2

/** The same. */
export async function fillPostgres(url: string, numbers: Numbers, fillings: readonly Filling[]): Promise<number> {
  const left = [...fillings]
  const fillNext = async () => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      for (const statement of NUMBER_TABLES) await client.query(statement)
      await client.query('insert into blocks select * from json_populate_recordset(null::blocks, $1)', [
        JSON.stringify(blocksOf(numbers)),
      ])
      await client.query('insert into units select * from json_populate_recordset(null::units, $1)', [
        JSON.stringify(UNIT_ROWS),
      ])
      // Without the check of each foreign key.
      await client.query("set session_replication_role = 'replica'")
      await client.query("set maintenance_work_mem = '512MB'")
      for (let filling = left.shift(); filling; filling = left.shift()) await fillTable(client, filling)
    } finally {
      await client.end()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, fillNext))
  return fillings.length * numbers.count
}

async function fillTable(client: pg.Client, filling: Filling): Promise<void> {
  const query = exampleQuery(filling)
  const { rows: indexes } = await client.query(
    `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename = $1
      and indexname not in (select conname from pg_constraint)`,
    [filling.table],
  )
  const example = query === undefined ? {} : (await client.query(query)).rows[0]
  // Building an index at the end is several times faster than adding row by row.
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`)
  // The lateral subquery makes the blocks the outer loop, so that rows are added at the end of the primary key.
  await client.query(
    insertOf(
      filling,
      example,
      'blocks cross join lateral (select n, digits from units where blocks.n >= 0 order by n offset 0) as units',
    ),
  )
  for (const { indexdef } of indexes) await client.query(indexdef)
  await client.query(`vacuum (analyze) ${filling.table}`)
}

type Row = Record<string, string | number | null>

function exampleQuery({ table, example = {} }: Filling): string | undefined {
  const conditions = Object.entries(example).map(([name, value]) => `${name} = ${literal(value)}`)
  return conditions.length > 0 ? `select * from ${table} where ${conditions.join(' and ')}` : undefined
}

function insertOf({ table, columns }: Filling, example: Row, numbers: string): string {
  const values = {
    ...Object.fromEntries(Object.entries(example).map(([name, value]) => [name, literal(value)])),
    ...columns,
  }
  return `insert into ${table} (${Object.keys(values).join(', ')}) select ${Object.values(values).join(', ')} from ${numbers}`
}

// A number is text for PostgreSQL's client too, and both databases convert it to the type of the column.
function literal(value: string | number | null): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

const UNIT_ROWS = Array.from({ length: UNITS }, (_, n) => ({ n, digits: String(n).padStart(3, '0') }))

function blocksOf({ count, now, secondsBetween }: Numbers): Block[] {
  if (count % UNITS !== 0) throw new Error(`The number of rows must be a multiple of ${UNITS}, and ${count} is not`)
  return Array.from({ length: count / UNITS }, (_, n) => ({
    n,
    digits: String(n).padStart(5, '0'),
    second: secondOf(now.getTime() - (count - n * UNITS) * secondsBetween * 1000),
    later: secondOf(now.getTime() + (100 + n) * 60 * 60 * 1000),
  }))
}

/** Up to the point before the milliseconds. */
const secondOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, -'000Z'.length)
