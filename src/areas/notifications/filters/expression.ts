import { BoundedMap } from '../../../platform/bounded-map.ts'
import { Budget } from './expression-budget.ts'
import { ExpressionError, FilterError } from './expression-errors.ts'
import { Evaluation } from './expression-evaluation.ts'
import { type Expression, parseExpression } from './expression-parser.ts'

const MAX_CACHED_EXPRESSIONS = 500

const parsed = new BoundedMap<string, Expression>(MAX_CACHED_EXPRESSIONS)

/**
 * Whether the payload passes the filter. An expression without a value, such as a comparison with a field that does not
 * exist, does not match. Throws a FilterError, and nothing else, if the expression cannot be evaluated.
 */
export function matchesExpression(text: string, payload: object, budget = new Budget()): boolean {
  return new Evaluation(payload, budget).evaluate(parse(text)) === true
}

function parse(text: string): Expression {
  const known = parsed.get(text)
  if (known) return known
  try {
    const expression = parseExpression(text)
    parsed.set(text, expression)
    return expression
  } catch (error) {
    // A subscription may be older than a limit of the parser.
    if (!(error instanceof ExpressionError)) throw error
    throw new FilterError(`the filter expression is not supported at position ${error.position}: ${error.message}`)
  }
}
