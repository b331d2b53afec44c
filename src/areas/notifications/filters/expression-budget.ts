import { FilterError } from './expression-errors.ts'

/**
 * The maximum cost of evaluating one filter expression, in steps. A step is a node of the expression, a visited or
 * compared element, or some characters. An ordinary filter takes a few hundred steps, and one with many conditions for
 * each of the 100 items of an order 5,000; 10,000 take at most 4 ms of CPU.
 */
export const MAX_STEPS = 10_000
/** If the JavaScript engine compares or searches. */
const CHARACTERS_PER_STEP = 32
/** If a loop visits each character. */
const VISITED_CHARACTERS_PER_STEP = 8

/** Limits the time and memory of an evaluation. Work proportional to a size is charged that size. */
export class Budget {
  #steps = 0

  get steps(): number {
    return this.#steps
  }

  /** Call before the work, so that work beyond the budget is not started. */
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
