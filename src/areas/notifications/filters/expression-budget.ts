import { FilterError } from './expression-errors.ts'

/**
 * What evaluating one filter expression may cost, in steps. A step is a node of the expression, an element that is
 * visited or compared, or some characters. An ordinary filter takes a few hundred; 20,000 take 8 ms of CPU at most.
 */
export const MAX_STEPS = 20_000
/** Where the engine itself compares or searches. */
const CHARACTERS_PER_STEP = 32
/** Where a loop visits each character. */
const VISITED_CHARACTERS_PER_STEP = 8

/** Bounds time and memory of an evaluation: whatever takes either of them in proportion to a size charges that size. */
export class Budget {
  #steps = 0

  get steps(): number {
    return this.#steps
  }

  /** Call it before the work is done, so that work beyond the budget is not begun. */
  charge(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) {
      throw new FilterError(`evaluating the filter expression takes more than ${MAX_STEPS} steps`)
    }
  }

  chargeCharacters(count: number): void {
    this.charge(Math.ceil(count / CHARACTERS_PER_STEP))
  }

  chargeVisitedCharacters(count: number): void {
    this.charge(Math.ceil(count / VISITED_CHARACTERS_PER_STEP))
  }
}
