import { invalidParameter } from '../../../platform/errors/api-error.ts'
import { TOKEN_OPERATION } from '../../operation-fields.ts'
import type { LoggedOperations } from '../logged-operations.ts'
import { Matcher, type RequestMatcher } from '../matcher.ts'
import type { Expectation } from './schema.ts'

export interface CountRange {
  min: number
  max: number
  /** The range is that of any period of this length. */
  perMilliseconds?: number
  /** And of each source of tokens alone: a client with several grants needs a token for each. */
  isPerGrant?: boolean
}

/** An expectation that is consistent in itself. */
export type ParsedExpectation = { name: string | undefined } & (
  | { kind: 'count'; matcher: Matcher; operation: string | undefined; range: CountRange }
  | { kind: 'order'; steps: Matcher[]; operations: (string | undefined)[] }
  | {
      kind: 'pause'
      after: Matcher
      operation: string | undefined
      matcher: Matcher
      milliseconds: number
      sameOperation: boolean
    }
)

export function matchersOf(expectation: ParsedExpectation): Matcher[] {
  if (expectation.kind === 'order') return expectation.steps
  return expectation.kind === 'pause' ? [expectation.after, expectation.matcher] : [expectation.matcher]
}

export function parseExpectation(
  expectation: Expectation,
  path: string,
  operations: LoggedOperations,
): ParsedExpectation {
  const { name, count, inOrder, after, noCallWithinSeconds, sameOperation, ...wanted } = expectation
  const refuse = (field: string, reason: string) => invalidParameter(`${path}.${field}`, reason)
  const toMatcher = (conditions: object, at = path) => {
    operations.requirePossible(conditions, at)
    return new Matcher(conditions as RequestMatcher)
  }
  if (inOrder) {
    const { name: _, inOrder: __, ...others } = expectation
    const [other] = Object.keys(others)
    if (other !== undefined) throw refuse(other, 'cannot be combined with inOrder')
    const steps = inOrder.map((step, index) => toMatcher(step, `${path}.inOrder[${index}]`))
    return { kind: 'order', name, steps, operations: inOrder.map(({ operation }) => operation) }
  }
  if (!after) {
    if (noCallWithinSeconds !== undefined) throw refuse('after', 'is required with noCallWithinSeconds')
    if (sameOperation !== undefined) throw refuse('after', 'is required with sameOperation')
    const range = parseCount(count ?? { atLeast: 1 }, `${path}.count`)
    const isPerGrant = range.perMilliseconds !== undefined && wanted.operation === TOKEN_OPERATION
    const matcher = toMatcher(wanted)
    return { kind: 'count', name, matcher, operation: wanted.operation, range: { ...range, isPerGrant } }
  }
  if (count) throw refuse('count', 'cannot be combined with after')
  if (noCallWithinSeconds === undefined) throw refuse('noCallWithinSeconds', 'is required with after')
  return {
    kind: 'pause',
    name,
    after: toMatcher(after, `${path}.after`),
    operation: after.operation,
    matcher: toMatcher(wanted),
    milliseconds: noCallWithinSeconds * 1000,
    sameOperation: sameOperation ?? false,
  }
}

function parseCount(count: NonNullable<Expectation['count']>, path: string): CountRange {
  const { perSeconds, ...bounds } = count
  const [[kind, value] = [], second] = Object.entries(bounds)
  if (kind === undefined || second) {
    throw invalidParameter(path, 'must have one of exactly, atLeast, atMost and between')
  }
  if (perSeconds !== undefined && kind !== 'atMost') throw invalidParameter(`${path}.perSeconds`, 'requires atMost')
  if (Array.isArray(value)) {
    const [min, max] = value as [number, number]
    if (min > max) throw invalidParameter(`${path}.between`, 'must begin with the smaller number')
    return { min, max }
  }
  const number = value as number
  return {
    min: kind === 'atMost' ? 0 : number,
    max: kind === 'atLeast' ? Infinity : number,
    ...(perSeconds !== undefined && { perMilliseconds: perSeconds * 1000 }),
  }
}

export function describeRange({ min, max, perMilliseconds, isPerGrant }: CountRange): string {
  if (perMilliseconds !== undefined)
    return `at most ${max} in any ${perMilliseconds / 1000} seconds${isPerGrant ? ' for each grant' : ''}`
  if (min === max) return `exactly ${min}`
  if (max === Infinity) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `between ${min} and ${max}`
}
