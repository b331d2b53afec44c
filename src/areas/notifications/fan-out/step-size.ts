import type { Dialect } from '../../../platform/database/dialect.ts'
import { MAX_DELIVERIES_PER_STEP } from './step.ts'

// SQLite has one writer, so every other writer waits for a step. In PostgreSQL they wait only for the rows they share.
const TARGET_MILLISECONDS: Record<Dialect, number> = { sqlite: 15, postgres: 100 }
const MIN_DELIVERIES = 10

/**
 * How many notifications one step delivers, by how long the last ones took: other writers then wait about equally long
 * on a fast machine and on a slow or busy one.
 */
export class StepSize {
  readonly #target: number
  #deliveries = MAX_DELIVERIES_PER_STEP / 5

  constructor(dialect: Dialect) {
    this.#target = TARGET_MILLISECONDS[dialect]
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
    const target = Math.max(this.#target, commitMilliseconds)
    if (workMilliseconds > target) {
      const share = Math.max(target / workMilliseconds, 0.5)
      this.#deliveries = Math.max(MIN_DELIVERIES, this.#deliveries * share)
    } else if (deliveries >= this.#deliveries / 2) {
      this.#deliveries = Math.min(MAX_DELIVERIES_PER_STEP, this.#deliveries * 1.25)
    }
  }
}

export interface StepDuration {
  workMilliseconds: number
  commitMilliseconds: number
}
