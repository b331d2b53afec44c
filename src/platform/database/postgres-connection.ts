import type pg from 'pg'
import type { Reader, SchemaTransaction } from './port.ts'
import { compile, PreparedQuery, type Query } from './query.ts'

export type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>

/** Compiles queries and passes them to `send`. */
export class PostgresReader implements Reader {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async all<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row[]> {
    return (await this.query(query, params)).rows as Row[]
  }

  async first<Row, Params>(query: Query<Row> | PreparedQuery<Params, Row>, params?: Params): Promise<Row | undefined> {
    return (await this.query(query, params)).rows[0] as Row | undefined
  }

  protected query<Params>(query: Query<unknown> | PreparedQuery<Params, unknown>, params: Params | undefined) {
    if (!(query instanceof PreparedQuery)) {
      const { sql, values } = compile(query, 'postgres')
      return this.send({ text: sql, values: [...values] })
    }
    const { sql, name, bind } = query.statement('postgres', params as Params)
    return this.send({ name, text: sql, values: bind(params as Params) })
  }

  protected send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.#send(query)
  }
}

/** A connection during one transaction. A query after its end fails instead of running outside of it. */
export class PostgresTransaction extends PostgresReader implements SchemaTransaction {
  readonly listeners = new Set<() => void>()
  #hasEnded = false

  async run<Params>(command: Query<unknown> | PreparedQuery<Params, unknown>, params?: Params): Promise<number> {
    return (await this.query(command, params)).rowCount ?? 0
  }

  async runEach<Params>(command: PreparedQuery<Params, unknown>, each: readonly Params[]): Promise<void> {
    await Promise.all(each.map((params) => this.query(command, params)))
  }

  afterCommit(listener: () => void): void {
    this.listeners.add(listener)
  }

  async execute(sql: string): Promise<void> {
    await this.send({ text: sql })
  }

  end(): void {
    this.#hasEnded = true
  }

  protected override send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('This transaction has ended; its handle must no longer be used')
    return super.send(query)
  }
}
