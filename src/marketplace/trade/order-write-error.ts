import type { Contradiction } from './order-states.ts'

export interface OrderViolation extends Contradiction {
  /** Position in the list of orders. */
  index: number
}

/** Orders that cannot be written. */
export class OrderWriteError extends Error {
  /** Of all orders, at least one. */
  readonly violations: readonly OrderViolation[]

  constructor(violations: readonly OrderViolation[]) {
    super(violations.map(({ index, field, reason }) => `orders[${index}].${field} ${reason}`).join(', '))
    this.violations = violations
  }
}
