import type pg from 'pg'
import { DatabaseUnavailableError, StatementDeadlineError } from './port.ts'
import type { Statement } from './postgres-batch.ts'
import type { PostgresPool } from './postgres-pool.ts'

interface Lookup {
  statement: Statement
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
}

// PostgreSQL runs them one after the other, on one core.
const MAX_TOGETHER = 8

/**
 * Lookups of an event-loop tick share a connection and a round trip, which take several times as long as a lookup, on both
 * sides. They are sent after they have begun, so each sees what was committed before.
 */
export class PostgresLookups {
  readonly #pool: PostgresPool
  #next: Lookup[] = []

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  send(statement: Statement): Promise<pg.QueryResult> {
    return this.#pool.trace(statement, () => this.#join(statement))
  }

  #join(statement: Statement): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      if (this.#next.push({ statement, resolve, reject }) === 1) process.nextTick(() => this.#sendNext())
    })
  }

  #sendNext(): void {
    const lookups = this.#next
    this.#next = []
    for (let start = 0; start < lookups.length; start += MAX_TOGETHER) {
      void this.#sendTogether(lookups.slice(start, start + MAX_TOGETHER))
    }
  }

  async #sendTogether(lookups: readonly Lookup[]): Promise<void> {
    try {
      const results = await this.#pool.readTogether(lookups.map(({ statement }) => statement))
      for (const [index, { resolve }] of lookups.entries()) resolve(results[index] as pg.QueryResult)
    } catch (error) {
      const failsAll = error instanceof DatabaseUnavailableError && !(error instanceof StatementDeadlineError)
      for (const lookup of lookups) {
        if (failsAll || lookups.length === 1) lookup.reject(error)
        else void this.#sendTogether([lookup])
      }
    }
  }
}
