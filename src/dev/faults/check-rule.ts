import { invalidParameter, invalidParameters, type Violation } from '../../platform/errors/api-error.ts'
import { findSimilar } from '../../platform/similar-words.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import { actions, backgroundOperations, type FaultableOperation, matchFields } from './actions.ts'
import { possibleCodes, possibleStatuses } from './error-responses.ts'
import type { FaultAction, FaultMatch, FaultSettings } from './public.ts'

/** Throws unless a rule can hit a call at all. Its fields are valid by themselves. */
export function requirePossible(
  { match = {}, action, from, until, forSeconds }: FaultSettings,
  operations: readonly FaultableOperation[],
): void {
  const violations: Violation[] = []
  if (until !== undefined && forSeconds !== undefined) {
    violations.push({ path: 'forSeconds', reason: 'must not be given together with until' })
  }
  if (from !== undefined && until !== undefined && parseTimestamp(from) >= parseTimestamp(until)) {
    violations.push({ path: 'until', reason: 'must be after from' })
  }
  violations.push(...actionViolations(action), ...matchViolations(match, action))
  if (violations.length > 0) throw invalidParameters(violations)
  const matched = requireOperations(match, action, [...operations, ...backgroundOperations])
  if (action.kind === 'status') requireStatus(action, matched)
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

function matchViolations(match: FaultMatch, { kind }: FaultAction): Violation[] {
  const { layer } = actions[kind]
  const possible = matchFields[layer]
  const given = Object.keys(match)
  if (!possible) {
    if (!given.includes('queueArn')) return []
    return [{ path: 'match.queueArn', reason: `is not possible for ${kind}: only notifications are sent to queues` }]
  }
  return given
    .filter((name) => !possible.includes(name))
    .map((name) => ({ path: `match.${name}`, reason: `is not known where ${kind} applies, only ${listOf(possible)}` }))
}

/** Returns the operations that a rule is about. */
function requireOperations(
  { operations }: FaultMatch,
  { kind }: FaultAction,
  known: readonly FaultableOperation[],
): FaultableOperation[] {
  const { layer, fits } = actions[kind]
  const fitting = known.filter((operation) => operation.layer === layer && fits(operation))
  if (operations === undefined) return fitting
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
    const possible = possibleStatuses(envelope)
    if (!possible.includes(status)) {
      throw invalidParameter('action.status', `is not possible for ${name}. Possible: ${listOf(possible)}`)
    }
    const codes = possibleCodes(envelope, status)
    if (code !== undefined && !codes.includes(code)) {
      const which = codes.length > 0 ? `Possible: ${listOf(codes)}` : 'The response of a gateway has no code'
      throw invalidParameter('action.code', `is not possible for ${name} with status ${status}. ${which}`)
    }
  }
}

const listOf = (names: readonly (string | number)[]) => names.join(', ')
