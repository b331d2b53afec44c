import { parseTimestamp } from '../../platform/timestamps.ts'
import { Random } from '../life/random.ts'
import type { SubjectIds } from '../request-facts.ts'
import type { FaultMatch, FaultRule } from './public.ts'

/** What is known about a request, a job or a notification. */
export interface CallFacts {
  operation: string
  sellerId?: string | undefined
  applicationId?: string | undefined
  clientId?: string | undefined
  queueArn?: string | undefined
  nextPage?: boolean | undefined
  subjects: SubjectIds
}

export function matches({ operations, ...fields }: FaultMatch, facts: CallFacts): boolean {
  if (operations !== undefined && ![operations].flat().includes(facts.operation)) return false
  return Object.entries(fields).every(([name, value]) => value === undefined || hasValue(facts, name, value))
}

function hasValue(facts: CallFacts, name: string, value: string | boolean): boolean {
  if (typeof value === 'boolean') return (facts.nextPage ?? false) === value
  if (name === 'sellerId' || name === 'applicationId' || name === 'clientId' || name === 'queueArn') {
    return facts[name] === value
  }
  return facts.subjects[name as keyof SubjectIds]?.includes(value) ?? false
}

/** Whether a rule applies at a time of the clock. */
export function isInForce({ enabled, from, until }: FaultRule, now: Date): boolean {
  if (!enabled) return false
  if (from !== undefined && now < parseTimestamp(from)) return false
  return until === undefined || now < parseTimestamp(until)
}

/** Whether a rule can never hit a call again, unless the clock goes back. */
export function isSpent({ until, nth, count, calls, hits }: FaultRule, now: Date): boolean {
  if (until !== undefined && now >= parseTimestamp(until)) return true
  return (nth !== undefined && calls >= nth) || (count !== undefined && hits >= count)
}

/** Whether a rule hits a matching call. `calls` includes this one. */
export function isHit({ nth, count, percentage, seed = 1, calls, hits }: FaultRule): boolean {
  if (nth !== undefined && calls !== nth) return false
  if (count !== undefined && hits >= count) return false
  return percentage === undefined || Random.of(seed, 'fault', calls).fraction() * 100 < percentage
}
