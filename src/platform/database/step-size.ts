import { setTimeout as sleep } from 'node:timers/promises'
import { endOfTick } from '../end-of-tick.ts'
import type { Dialect } from './dialect.ts'
import type { Database, Transaction, TransactionOptions } from './port.ts'

export interface RowLimits {
  min: number
  max: number
}

// SQLite has one writer, so every other writer waits for a step. In PostgreSQL they wait only for the rows they share.
const TARGET_MILLISECONDS: Record<Dialect, number> = { sqlite: 15, postgres: 100 }
// A connection that waits for SQLite's lock looks for it every millisecond or two.
const MIN_PAUSE_MILLISECONDS = 3
const PAUSE_PER_STEP = 1 / 4

/**
 * How many rows one step writes or deletes, by how long the last ones took: other writers then wait about equally long on a
 * fast machine and on a slow or busy one.
 */
export class StepSize {
  readonly #dialect: Dialect
  readonly #limits: RowLimits
  #rows: number
  #lastMilliseconds = 0

  constructor(dialect: Dialect, limits: RowLimits) {
    this.#dialect = dialect
    this.#limits = limits
    this.#rows = Math.max(limits.min, limits.max / 5)
  }

  get maxRows(): number {
    return Math.round(this.#rows)
  }

  /**
   * A step shrinks at once and grows slowly: one that was lucky says little about the next. A commit costs the same
   * however small the step is, so a step may always take as long as its commit: with a slow disk, smaller ones would
   * only add commits for others to wait for.
   */
  recordStep(rows: number, { workMilliseconds, commitMilliseconds }: StepDuration): void {
    this.#lastMilliseconds = workMilliseconds + commitMilliseconds
    const target = Math.max(TARGET_MILLISECONDS[this.#dialect], commitMilliseconds)
    if (workMilliseconds > target) {
      const share = Math.max(target / workMilliseconds, 0.5)
      this.#rows = Math.max(this.#limits.min, this.#rows * share)
    } else if (rows >= this.#rows / 2) {
      this.#rows = Math.min(this.#limits.max, this.#rows * 1.25)
    }
  }

  /**
   * Between steps that follow each other at once: on SQLite they would leave no time for requests of this thread, and
   * hold the lock whenever another connection looks for it.
   */
  async pause(): Promise<void> {
    if (this.#dialect === 'postgres') return endOfTick()
    await sleep(Math.max(MIN_PAUSE_MILLISECONDS, this.#lastMilliseconds * PAUSE_PER_STEP))
  }
}

export interface StepDuration {
  workMilliseconds: number
  commitMilliseconds: number
}

/** Writes a step. How long it took decides how long the next one is. */
export async function writeStep<Result>(
  { database, stepSize }: { database: Pick<Database, 'transact'>; stepSize: StepSize },
  { rows, ...options }: TransactionOptions & { rows: number },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let startedAt = 0
  let doneAt = 0
  const result = await database.transact(async (tx) => {
    startedAt = performance.now()
    const done = await work(tx)
    doneAt = performance.now()
    return done
  }, options)
  const commitMilliseconds = performance.now() - doneAt
  stepSize.recordStep(rows, { workMilliseconds: doneAt - startedAt, commitMilliseconds })
  return result
}
