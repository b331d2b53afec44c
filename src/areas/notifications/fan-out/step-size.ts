import type { Dialect } from '../../../platform/database/port.ts'
import { MAX_DELIVERIES_PER_STEP } from './step.ts'

// SQLite has one writer, so everybody else waits for a step. In PostgreSQL they wait only for the rows they share.
const TARGET_MILLISECONDS: Record<Dialect, number> = { sqlite: 10, postgres: 100 }
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

  get most(): number {
    return Math.round(this.#deliveries)
  }

  /** A step shrinks at once and grows slowly: one that was lucky says little about the next. */
  recordStep(deliveries: number, milliseconds: number): void {
    if (milliseconds > this.#target) {
      const share = Math.max(this.#target / milliseconds, 0.5)
      this.#deliveries = Math.max(MIN_DELIVERIES, this.#deliveries * share)
    } else if (deliveries >= this.#deliveries / 2) {
      this.#deliveries = Math.min(MAX_DELIVERIES_PER_STEP, this.#deliveries * 1.25)
    }
  }
}
