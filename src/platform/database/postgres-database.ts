import pg from 'pg'
import {
  type Database,
  DatabaseUnavailableError,
  type DefiningTransaction,
  type Reader,
  type Transaction,
} from './port.ts'
import { compile, PreparedQuery, type Query } from './query.ts'

export interface PostgresOptions {
  url: string
  poolSize: number
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000
const MOST_ATTEMPTS = 50
const TRY_AGAIN = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected
// Two that find nothing and both insert: PostgreSQL may tell the second of the key before it tells of the conflict. Run
// again, it finds what the first one wrote; a key that really is there twice is still refused then.
const UNIQUE_VIOLATION = '23505'
const MOST_RACES = 10
// Classes of errors in which the server was not there to do the work: connection, resources, operator intervention.
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
const INT8_OID = 20
// `create table if not exists` fails where another is creating the same one. The number is ours alone: "souk".
const WAIT_FOR_OTHERS_WHO_DEFINE = 'select pg_advisory_xact_lock(1936684395)'

/** PostgreSQL: the same meaning as SQLite's single writer, by serializable transactions that are run again on conflict. */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly #pool: pg.Pool
  readonly #reader: Reader

  constructor({ url, poolSize }: PostgresOptions) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
      types: { getTypeParser: parseTypes },
      // Statements that are sent together travel together: see `runEach`.
      pipeline: true,
    })
    // A connection that dies while idle is replaced on the next use; without a listener its error would end the process.
    this.#pool.on('error', () => {})
    this.#reader = new PostgresConnection(this.#pool)
  }

  async read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#reader)
    } catch (error) {
      throw unavailable(error)
    }
  }

  peek(): undefined {
    return undefined
  }

  async transact<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (codeOf(error) === UNIQUE_VIOLATION && attempt < MOST_RACES) continue
        if (!TRY_AGAIN.has(codeOf(error))) throw unavailable(error)
        if (attempt === MOST_ATTEMPTS) {
          throw new DatabaseUnavailableError('Too many transactions want the same rows', { cause: error })
        }
      }
    }
  }

  define<Result>(work: (tx: DefiningTransaction) => Promise<Result>): Promise<Result> {
    return this.transact(async (tx) => {
      const connection = tx as PostgresConnection
      await connection.execute(WAIT_FOR_OTHERS_WHO_DEFINE)
      return work(connection)
    })
  }

  async clear(): Promise<void> {
    const tables = await this.#pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = current_schema() and tablename <> 'migrations'`,
    )
    await this.#pool.query(`truncate ${tables.rows.map((row) => `"${row.tablename}"`).join(', ')}`)
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #attempt<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    const tx = new PostgresConnection(client)
    let broken: Error | boolean = false
    try {
      await client.query('begin isolation level serializable')
      const result = await work(tx)
      await client.query('commit')
      for (const listener of tx.listeners) listener()
      return result
    } catch (error) {
      await client.query('rollback').catch((cause: Error) => {
        broken = cause
      })
      throw error
    } finally {
      tx.end()
      client.release(broken)
    }
  }
}

// Counts and money fit a JavaScript number; pg would hand 64-bit integers out as text.
const parseTypes: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function unavailable(error: unknown): unknown {
  const code = codeOf(error)
  const noAnswer = error instanceof Error && /connect|terminated|ECONN/i.test(error.message)
  if (!UNAVAILABLE_CLASSES.has(code.slice(0, 2)) && !code.startsWith('ECONN') && !noAnswer) return error
  return new DatabaseUnavailableError('PostgreSQL cannot be reached', { cause: error })
}

type Queryable = Pick<pg.Pool, 'query'>

class PostgresConnection implements DefiningTransaction {
  #queryable: Queryable | undefined
  readonly listeners = new Set<() => void>()

  constructor(queryable: Queryable) {
    this.#queryable = queryable
  }

  async all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    return (await this.#query(query, params)).rows as Row[]
  }

  async first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    return (await this.#query(query, params)).rows[0] as Row | undefined
  }

  async run<Params>(command: Query<unknown> | PreparedQuery<Params, unknown>, params?: Params): Promise<number> {
    return (await this.#query(command, params)).rowCount ?? 0
  }

  async runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void> {
    await Promise.all(each.map((params) => this.#query(command, params)))
  }

  afterCommit(listener: () => void): void {
    this.listeners.add(listener)
  }

  async execute(sql: string): Promise<void> {
    await this.#open().query(sql)
  }

  end(): void {
    this.#queryable = undefined
  }

  async #query<Params>(query: Query<unknown> | PreparedQuery<Params, unknown>, params: Params | undefined) {
    const queryable = this.#open()
    if (!(query instanceof PreparedQuery)) {
      const { sql, values } = compile(query, 'postgres')
      return queryable.query(sql, [...values])
    }
    const { sql, name, bind } = query.statement('postgres')
    return queryable.query({ name, text: sql, values: bind(params as Params) })
  }

  #open(): Queryable {
    if (!this.#queryable) throw new Error('This transaction has ended; its handle must not be used any more')
    return this.#queryable
  }
}
