import { invalidParameter, invalidParameters, type Violation } from '../../platform/errors/api-error.ts'
import { findSimilar } from '../../platform/similar-words.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import { actions, backgroundOperations, type FaultableOperation, fitsAction } from './actions.ts'
import { isPossibleStatus, possibleCodes, possibleStatuses } from './error-responses.ts'
import type { FaultAction, FaultMatch, FaultSettings } from './public.ts'

/** Throws unless a rule can hit a call at all. Its fields are valid by themselves. */
export function requirePossible(
  { match = {}, action, from, until, forSeconds }: FaultSettings,
  operations: readonly FaultableOperation[],
  now: Date,
): void {
  const violations: Violation[] = []
  if (until !== undefined && forSeconds !== undefined) {
    violations.push({ path: 'forSeconds', reason: 'must not be given together with until' })
  }
  if (from !== undefined && until !== undefined && parseTimestamp(from) >= parseTimestamp(until)) {
    violations.push({ path: 'until', reason: 'must be after from' })
  }
  if (until !== undefined && parseTimestamp(until) <= now) {
    violations.push({ path: 'until', reason: `must be after the time of the clock, which is ${now.toISOString()}` })
  }
  const known = [...operations, ...backgroundOperations]
  violations.push(...actionViolations(action), ...matchViolations(match, action, known))
  if (violations.length > 0) throw invalidParameters(violations)
  requireFields(match, requireOperations(match, action, known))
}

function actionViolations(action: FaultAction): Violation[] {
  const { required = [], optional = [] } = actions[action.kind]
  const given = Object.keys(action).filter((name) => name !== 'kind')
  const missing = required.filter((name) => !given.includes(name))
  const possible = [...required, ...optional]
  const unknown = given.filter((name) => !possible.includes(name))
  return [
    ...missing.map((name) => ({ path: `action.${name}`, reason: `is required for ${action.kind}` })),
    ...unknown.map((name) => ({
      path: `action.${name}`,
      reason: `is not possible for ${action.kind}, which takes ${listOf(possible) || 'no other fields'}`,
    })),
    ...(action.kind === 'latency' ? latencyViolations(action) : []),
  ]
}

function latencyViolations(action: Extract<FaultAction, { kind: 'latency' }>): Violation[] {
  const { milliseconds, minMilliseconds, maxMilliseconds } = action as {
    milliseconds?: number
    minMilliseconds?: number
    maxMilliseconds?: number
  }
  const isRange = minMilliseconds !== undefined && maxMilliseconds !== undefined
  const hasPart = minMilliseconds !== undefined || maxMilliseconds !== undefined
  if ((milliseconds === undefined) !== isRange || (milliseconds !== undefined && hasPart)) {
    const reason = 'is required for latency, or else both minMilliseconds and maxMilliseconds'
    return [{ path: 'action.milliseconds', reason }]
  }
  if (isRange && minMilliseconds > maxMilliseconds) {
    return [{ path: 'action.maxMilliseconds', reason: 'must not be less than minMilliseconds' }]
  }
  return []
}

function matchViolations(match: FaultMatch, { kind }: FaultAction, known: readonly FaultableOperation[]): Violation[] {
  const { layer } = actions[kind]
  const possible = fieldsOf(known.filter((operation) => operation.layer === layer))
  return fieldsIn(match)
    .filter((name) => !possible.includes(name))
    .map((name) => ({
      path: `match.${name}`,
      reason: `cannot match: what ${kind} applies to has no ${name}, only ${listOf(possible)}`,
    }))
}

/** Every call has no next page, or is no request for one. */
const fieldsIn = ({ operations: _, ...match }: FaultMatch) =>
  Object.entries(match)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name]) => name)

const fieldsOf = (operations: readonly FaultableOperation[]) => [
  ...new Set(operations.flatMap((operation) => operation.fields())),
]

/** Whether a possible rule hits calls that have a field. */
export function hasField(
  { match = {}, action }: Pick<FaultSettings, 'match' | 'action'>,
  name: string,
  operations: readonly FaultableOperation[],
): boolean {
  return fieldsOf(requireOperations(match, action, [...operations, ...backgroundOperations])).includes(name)
}

/** Throws unless an operation of the rule has all fields that it matches. */
function requireFields(match: FaultMatch, matched: readonly FaultableOperation[]): void {
  const given = fieldsIn(match)
  const hasAll = (names: readonly string[]) =>
    matched.some((operation) => names.every((name) => operation.fields().includes(name)))
  if (hasAll(given)) return
  const possible = fieldsOf(matched)
  const unknown = given.find((name) => !possible.includes(name))
  if (unknown !== undefined) {
    const [first, ...others] = matched
    const where = first && others.length === 0 ? first.name : 'these operations'
    const only = possible.length > 0 ? `, only ${listOf(possible)}` : ''
    throw invalidParameter(`match.${unknown}`, `cannot match: calls of ${where} have no ${unknown}${only}`)
  }
  const excluded = given.findIndex((_, index) => !hasAll(given.slice(0, index + 1)))
  throw invalidParameter(
    `match.${given[excluded]}`,
    `cannot be combined with ${listOf(given.slice(0, excluded))}: no call of one operation has both`,
  )
}

/** Returns the operations that a rule is about. */
function requireOperations(
  { operations }: FaultMatch,
  action: FaultAction,
  known: readonly FaultableOperation[],
): FaultableOperation[] {
  const { kind } = action
  const { layer, fits } = actions[kind]
  const fitting = known.filter((operation) => operation.layer === layer && fits(operation))
  const named = operations === undefined ? undefined : requireNamed(operations, kind, fitting, known)
  const possible = (named ?? fitting).filter((operation) => fitsAction(action, operation))
  if (action.kind === 'status' && possible.length < (named?.length ?? 1)) {
    const withStatus = fitting.filter(({ envelope }) => isPossibleStatus(envelope, action.status))
    requireStatus(action, named ?? (withStatus.length > 0 ? withStatus : fitting))
  }
  return possible
}

function requireNamed(
  operations: NonNullable<FaultMatch['operations']>,
  kind: FaultAction['kind'],
  fitting: readonly FaultableOperation[],
  known: readonly FaultableOperation[],
): FaultableOperation[] {
  return [operations].flat().map((name, index) => {
    const path = Array.isArray(operations) ? `match.operations[${index}]` : 'match.operations'
    const found = fitting.find((operation) => operation.name === name)
    if (found) return found
    const possible = `Possible for ${kind}: ${listOf(fitting.map((operation) => operation.name))}`
    if (known.some((operation) => operation.name === name)) {
      throw invalidParameter(path, `has ${name}, for which ${kind} is not possible. ${possible}`)
    }
    const [similar] = findSimilar(
      name,
      fitting.map((operation) => operation.name),
    )
    const hint = similar === undefined ? '' : ` Did you mean ${similar}?`
    throw invalidParameter(path, `has ${name}, which is no operation that can fail.${hint} ${possible}`)
  })
}

function requireStatus(
  { status, code }: Extract<FaultAction, { kind: 'status' }>,
  matched: readonly FaultableOperation[],
): void {
  for (const { name, envelope } of matched) {
    if (!isPossibleStatus(envelope, status)) {
      const possible = listOf(possibleStatuses(envelope))
      throw invalidParameter('action.status', `is not possible for ${name}. Possible: ${possible}`)
    }
    const codes = possibleCodes(envelope, status)
    if (code !== undefined && !codes.includes(code)) {
      const which = codes.length > 0 ? `Possible: ${listOf(codes)}` : 'The response of a gateway has no code'
      throw invalidParameter('action.code', `is not possible for ${name} with status ${status}. ${which}`)
    }
  }
}

const listOf = (names: readonly (string | number)[]) => names.join(', ')
