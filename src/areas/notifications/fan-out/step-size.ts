import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Database, Transaction, TransactionOptions } from '../../../platform/database/port.ts'

// SQLite has one writer, so every other writer waits for a step. In PostgreSQL they wait only for the rows they share.
const LIMITS = {
  sqlite: { targetMilliseconds: 15, minDeliveries: 10, maxDeliveries: 250, maxBytes: 512 * 1024 },
  // An event with more subscribers than a step takes several, which costs more than a longer step.
  postgres: { targetMilliseconds: 100, minDeliveries: 250, maxDeliveries: 1_000, maxBytes: 4 * 1024 * 1024 },
} satisfies Record<Dialect, object>

/**
 * How many deliveries one step writes or deletes, by how long the last ones took: other writers then wait about equally long
 * on a fast machine and on a slow or busy one.
 */
export class StepSize {
  readonly #limits: (typeof LIMITS)[Dialect]
  #deliveries: number

  constructor(dialect: Dialect) {
    this.#limits = LIMITS[dialect]
    this.#deliveries = Math.max(this.#limits.minDeliveries, this.#limits.maxDeliveries / 5)
  }

  /** Maximum total length of the payloads of a step. */
  get maxBytes(): number {
    return this.#limits.maxBytes
  }

  get maxDeliveries(): number {
    return Math.round(this.#deliveries)
  }

  /**
   * A step shrinks at once and grows slowly: one that was lucky says little about the next. A commit costs the same
   * however small the step is, so a step may always take as long as its commit: with a slow disk, smaller ones would
   * only add commits for others to wait for.
   */
  recordStep(deliveries: number, { workMilliseconds, commitMilliseconds }: StepDuration): void {
    const target = Math.max(this.#limits.targetMilliseconds, commitMilliseconds)
    if (workMilliseconds > target) {
      const share = Math.max(target / workMilliseconds, 0.5)
      this.#deliveries = Math.max(this.#limits.minDeliveries, this.#deliveries * share)
    } else if (deliveries >= this.#deliveries / 2) {
      this.#deliveries = Math.min(this.#limits.maxDeliveries, this.#deliveries * 1.25)
    }
  }
}

export interface StepDuration {
  workMilliseconds: number
  commitMilliseconds: number
}

/** Writes a step. How long it took decides how long the next one is. */
export async function writeStep<Result>(
  { database, stepSize }: { database: Pick<Database, 'transact'>; stepSize: StepSize },
  { deliveries, ...options }: TransactionOptions & { deliveries: number },
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
  stepSize.recordStep(deliveries, { workMilliseconds: doneAt - startedAt, commitMilliseconds })
  return result
}
