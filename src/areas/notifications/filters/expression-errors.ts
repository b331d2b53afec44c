/** A filter expression does not parse. Positions start at 1. */
export class ExpressionError extends Error {
  readonly position: number

  constructor(position: number, reason: string) {
    super(reason)
    this.name = 'ExpressionError'
    this.position = position
  }
}

/** A filter expression that cannot be evaluated for a payload. Only its own subscription is affected. */
export class FilterError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'FilterError'
  }
}
