import { endOfTick } from '../../../platform/end-of-tick.ts'
import { matchesDirective } from '../filters/directive.ts'
import { Budget, MAX_STEPS } from '../filters/expression-budget.ts'
import type { ProcessingDirective } from '../schema.ts'

/**
 * After how many steps of filter expressions a step of a fan-out ends, or tries a smaller page: about 100 ms of CPU.
 * The last subscription may add as much again. The process does nothing else meanwhile, and leases are renewed only
 * when a step is written, after up to six pages.
 */
export const MAX_FILTER_STEPS = 250_000

/** For so many notifications, a single filter cannot exceed the limit. */
export const MAX_FILTERED_NOTIFICATIONS = MAX_FILTER_STEPS / MAX_STEPS

/** Counts the work of filters, in steps rather than time, so that every machine plans the same. */
export class FilterWork {
  #steps = 0
  #stepsAtPause = 0

  get steps(): number {
    return this.#steps
  }

  /** Returns a function that returns whether filters have taken `MAX_FILTER_STEPS` since this call. */
  startStep(): () => boolean {
    const end = this.#steps + MAX_FILTER_STEPS
    return () => this.#steps >= end
  }

  /** Lets the process do its other work, if filters have kept it from that. A read of SQLite does not. */
  async pause(): Promise<void> {
    if (this.#steps - this.#stepsAtPause < MAX_FILTER_STEPS / 2) return
    this.#stepsAtPause = this.#steps
    await endOfTick()
  }

  /** Throws a FilterError if the filter expression cannot be evaluated. */
  matches(directive: ProcessingDirective | undefined, payload: object): boolean {
    const expression = directive?.filterExpression
    if (expression === undefined) return matchesDirective(directive, payload)
    const budget = new Budget()
    try {
      return matchesDirective(directive, payload, budget)
    } finally {
      // It may have to be parsed first. Steps beyond the budget were charged but not taken.
      this.#steps += expression.length + Math.min(budget.steps, MAX_STEPS)
    }
  }
}
