// Compares two ways to remove old rows of a table of background work: deleting them in batches, as sweeps do, and
// dropping a partition. Not a group of `npm run bench`, because it decides a design and guards no figure: `node
// bench/retention.ts 10000000`.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'
import { logProgress } from './support/progress.ts'

const OLD_ROWS = Number(process.argv[2] ?? 1_000_000)
const LIVE_ROWS = 100_000
const ROWS_PER_BATCH = 1_000
const INSERTS_PER_SECOND = 50
const CALM_MILLISECONDS = 20_000
const QUEUE_BATCHES = 200
const QUEUE_ROUNDS = 3
const DAYS_OF_PARTITIONS = 15

const COLUMNS = `application_id text not null, destination_id text not null, delivery_id text not null, event_id text not null,
  seller_id text, notification_type text not null, state text not null, due_at text not null, attempts bigint not null,
  payload text not null`
const NAMES =
  'application_id, destination_id, delivery_id, event_id, seller_id, notification_type, state, due_at, attempts, payload'
const STORAGE = `autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0`
const OLD_DAY = '2026-01-01'
const LIVE_DAY = '2026-01-15'

/** The table `deliveries` without foreign keys. A unique key of a partitioned table must contain the time. */
const TABLES = {
  plain: [`create table plain (${COLUMNS}) with (${STORAGE})`],
  partitioned: [
    `create table partitioned (${COLUMNS}) partition by range (due_at)`,
    ...Array.from({ length: DAYS_OF_PARTITIONS }, (_, day) => {
      const name = (offset: number) => `2026-01-${String(day + offset).padStart(2, '0')}`
      return `create table partitioned_${day + 1} partition of partitioned
        for values from ('${name(1)}') to ('${name(2)}') with (${STORAGE})`
    }),
  ],
}
type Table = keyof typeof TABLES
const KEYS = {
  plain: 'application_id, destination_id, delivery_id',
  partitioned: 'application_id, destination_id, delivery_id, due_at',
}
/** Created after the rows are stored, which takes a third of the time. */
const indexesOf = (table: Table) => [
  `alter table ${table} add primary key (${KEYS[table]})`,
  `create index on ${table} (state, application_id, destination_id, due_at, event_id, delivery_id)`,
  `create index on ${table} (due_at)`,
]

const rows = (count: number, prefix: string, day: string) => `select 'app-' || n % 40, 'destination-' || n % 400,
  '${prefix}' || lpad(n::text, 12, '0'), '${prefix}' || n / 10, 'SELLER' || n % 10000, 'ORDER_CHANGE', 'pending',
  '${day}T' || to_char(make_interval(secs => n * 86000.0 / ${count}), 'HH24:MI:SS.MS') || 'Z', 0, repeat(md5(n::text), 8)
  from generate_series(1, ${count}) n`

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', (error) => logProgress(String(error)))
  await client.connect()
  return client
}

/** Inserts rows at a steady rate until it is stopped, each in a transaction of its own. Returns how long they took. */
function startInserting(client: pg.Client, table: string) {
  const took: number[] = []
  let isOver = false
  const insert = async () => {
    for (let due = performance.now(); !isOver; due += 1000 / INSERTS_PER_SECOND) {
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      await client.query(`insert into ${table} (${NAMES}) ${rows(1, `x${table}${took.length}-${due}`, LIVE_DAY)}`)
      // From when it was due: an insert that waits for the one before it is late.
      took.push(performance.now() - due)
    }
  }
  const ended = insert()
  return async () => {
    isOver = true
    await ended
    return took.sort((a, b) => a - b)
  }
}

const summarize = (took: number[]) =>
  [0.5, 0.99, 1].map((part) => (took[Math.ceil(took.length * part) - 1] ?? Number.NaN).toFixed(1)).join(' / ')

async function measureRemoval(url: string, table: Table, remove: (client: pg.Client) => Promise<unknown>) {
  const [client, inserter] = [await connect(url), await connect(url)]
  const began = performance.now()
  for (const statement of TABLES[table]) await client.query(statement)
  await client.query(`insert into ${table} (${NAMES}) ${rows(OLD_ROWS, 'a', OLD_DAY)}`)
  await client.query(`insert into ${table} (${NAMES}) ${rows(LIVE_ROWS, 'b', LIVE_DAY)}`)
  for (const statement of indexesOf(table)) await client.query(statement)
  await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
  logProgress(`${table}: ${OLD_ROWS} rows stored in ${((performance.now() - began) / 1000).toFixed()} s`)
  const calm = startInserting(inserter, table)
  await sleep(CALM_MILLISECONDS)
  logProgress(`${table}: inserts before, p50 / p99 / max: ${summarize(await calm())} ms`)
  const { rows: before } = await client.query('select pg_current_wal_lsn() as position')
  const busy = startInserting(inserter, table)
  const removing = performance.now()
  await remove(client)
  const removed = performance.now() - removing
  const during = await busy()
  const after = startInserting(inserter, table)
  await sleep(CALM_MILLISECONDS / 4)
  const [wal, dead] = [
    await client.query(`select pg_size_pretty(pg_current_wal_lsn() - '${before[0].position}') as size`),
    await client.query(`select sum(n_dead_tup) as dead, pg_size_pretty(sum(pg_total_relation_size(relid))) as size
      from pg_stat_user_tables where relname like '${table}%'`),
  ]
  logProgress(`${table}: removed in ${removed.toFixed()} ms, log ${wal.rows[0].size}`)
  logProgress(`${table}: dead rows ${dead.rows[0].dead}, size ${dead.rows[0].size}`)
  logProgress(`${table}: inserts meanwhile (${during.length}), p50 / p99 / max: ${summarize(during)} ms`)
  logProgress(`${table}: inserts after, p50 / p99 / max: ${summarize(await after())} ms`)
  await Promise.all([client.end(), inserter.end()])
}

/** What these tables do all day: rows are stored, read in order and deleted by their key. */
async function measureQueue(url: string, table: string): Promise<number> {
  const client = await connect(url)
  const began = performance.now()
  for (let batch = 0; batch < QUEUE_BATCHES; batch++) {
    await client.query(`insert into ${table} (${NAMES}) ${rows(100, `q${batch}-`, LIVE_DAY)}`)
    const { rows: due } =
      await client.query(`select * from ${table} where state = 'pending' and application_id = 'app-1'
      and destination_id = 'destination-1' and due_at <= '2026-01-16' order by due_at, event_id, delivery_id limit 10`)
    const { rowCount } = await client.query(`delete from ${table} where delivery_id like 'q${batch}-%' and
      (application_id, destination_id, delivery_id) in (select 'app-' || n % 40, 'destination-' || n % 400,
      'q${batch}-' || lpad(n::text, 12, '0') from generate_series(1, 100) n)`)
    if (rowCount !== 100 || due.length === 0) throw new Error(`${rowCount} rows were deleted, ${due.length} read`)
  }
  await client.end()
  return (QUEUE_BATCHES * 100) / ((performance.now() - began) / 1000)
}

const server = await startPostgres([
  '-c',
  'fsync=on',
  '-c',
  'shared_buffers=512MB',
  '-c',
  'max_wal_size=4GB',
  '-c',
  'maintenance_work_mem=512MB',
])
try {
  await server.createDatabase('retention')
  const url = `${server.url}/retention`
  await measureRemoval(url, 'partitioned', (one) => one.query('drop table partitioned_1'))
  await measureRemoval(url, 'plain', async (one) => {
    const batch = `delete from plain where (application_id, destination_id, delivery_id) in
      (select application_id, destination_id, delivery_id from plain where due_at < '2026-01-02' order by due_at limit ${ROWS_PER_BATCH})`
    while ((await one.query(batch)).rowCount === ROWS_PER_BATCH);
  })
  for (let round = 0; round < QUEUE_ROUNDS; round++) {
    for (const table of ['plain', 'partitioned']) {
      const rate = await measureQueue(url, table)
      logProgress(`${table}: ${rate.toFixed()} rows/s stored, read and deleted`)
    }
  }
} finally {
  await server.stop()
}
