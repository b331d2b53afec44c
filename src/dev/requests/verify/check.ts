import type { Entry } from '../entry.ts'
import { pathTextOf, sellerOf, tokenSourceOf } from '../entry-view.ts'
import type { Matcher } from '../matcher.ts'
import { type CountRange, describeRange, type ParsedExpectation } from './expectation.ts'

/** The finished requests of the period, oldest first, and how many of an operation the log no longer has of it. */
export interface Evidence {
  entries: readonly Entry[]
  /** How much the log keeps of a body. */
  maxBodyBytes: number
  /** Of all operations if none is given. */
  countDropped(operation: string | undefined): number
}

export interface Check {
  passed: boolean
  expected: string
  seen: number
  message: string
  /** The requests to look at. */
  found: readonly Entry[]
  /** What else to compare requests with, if some are missing. */
  missing?: Matcher
}

/** The start of the time that counts as a pause: a client cannot react to a response that it does not have. */
const ROUNDING_MILLISECONDS = 1

export function checkExpectation(expectation: ParsedExpectation, evidence: Evidence): Check {
  if (expectation.kind === 'count') return checkCount(expectation, evidence)
  return expectation.kind === 'order' ? checkOrder(expectation, evidence) : checkPause(expectation, evidence)
}

type Of<Kind extends ParsedExpectation['kind']> = Extract<ParsedExpectation, { kind: Kind }>

function checkCount({ matcher, operation, range }: Of<'count'>, evidence: Evidence): Check {
  const { entries, countDropped } = evidence
  const { min, max } = range
  const count = (counts: (entry: Entry) => boolean) => countable(entries.filter(counts), range)
  const counted = count((entry) => matcher.matches(entry))
  const seen = counted.length
  const most = count((entry) => matcher.matches(entry) || matcher.isUnknown(entry)).length
  const expected = `${matcher.describe()}: ${describeRange(range)}`
  const isInRange = seen >= min && seen <= max
  const dropped = countDropped(operation)
  // More can have come than is here, but not less.
  const isKnown =
    seen > max || (isInRange && max === Infinity) || (dropped === 0 && (isInRange ? most <= max : most < min))
  return {
    passed: isInRange && isKnown,
    expected,
    seen,
    message: isKnown ? describeSeen(expected, seen, range) : describeUnknown(expected, dropped, evidence),
    found: counted,
    ...(seen < min && { missing: matcher }),
  }
}

const describeSeen = (expected: string, seen: number, { perMilliseconds }: CountRange) =>
  `Expected ${expected}; saw ${seen}${perMilliseconds === undefined ? '' : ' in the busiest one'}.`

/** Without dropped requests, it is because of cut ones. */
const describeUnknown = (expected: string, dropped: number, { maxBodyBytes }: Evidence) =>
  dropped > 0
    ? `Cannot verify ${expected}: the log no longer has ${dropped} requests of the period. Keep more with --request-log, or clear the log first.`
    : `Cannot verify ${expected}: the log has only the first ${maxBodyBytes / 1024} KiB of bodies that may count. Expect something else of these requests.`

/** Those of the requests whose number counts. */
function countable(found: readonly Entry[], { perMilliseconds, isPerGrant }: CountRange): readonly Entry[] {
  if (perMilliseconds === undefined) return found
  if (!isPerGrant) return busiestPeriod(found, perMilliseconds)
  return [...Map.groupBy(found, tokenSourceOf).values()]
    .map((own) => busiestPeriod(own, perMilliseconds))
    .reduce((busiest, own) => (own.length > busiest.length ? own : busiest), [])
}

/** The most requests in any period of a length. */
function busiestPeriod(entries: readonly Entry[], milliseconds: number): readonly Entry[] {
  let first = 0
  let start = 0
  let end = 0
  for (const [index, entry] of entries.entries()) {
    while (millisecondsBetween(entries[first] as Entry, entry) >= milliseconds) first++
    if (index + 1 - first <= end - start) continue
    start = first
    end = index + 1
  }
  return entries.slice(start, end)
}

/**
 * The longer of real time and time of the marketplace. Clients wait in real time, also while the clock of the marketplace
 * stands still; and a test that moves the clock by an hour means that an hour has passed.
 */
const millisecondsBetween = (one: Entry, other: Entry) =>
  Math.max(other.startedAt - one.startedAt, other.time - one.time)

function checkOrder({ steps, operations }: Of<'order'>, evidence: Evidence): Check {
  const { entries, countDropped } = evidence
  const found: Entry[] = []
  let next = 0
  for (const step of steps) {
    const index = entries.findIndex((entry, position) => position >= next && step.matches(entry))
    if (index === -1) break
    found.push(entries[index] as Entry)
    next = index + 1
  }
  const expected = steps.map((step, index) => `${index + 1}. ${step.describe()}`).join('; ')
  const missing = steps[found.length]
  if (!missing)
    return { passed: true, expected, seen: found.length, message: `Saw all ${found.length} in order.`, found }
  const dropped = operations.reduce((sum, operation) => sum + countDropped(operation), 0)
  const isKnown = dropped === 0 && !entries.some((entry) => steps.some((step) => step.isUnknown(entry)))
  const before = found.length === 0 ? '' : ` after number ${found.length}`
  return {
    passed: false,
    expected,
    seen: found.length,
    message: isKnown
      ? `Expected ${expected}; saw no request for number ${found.length + 1}${before}.`
      : describeUnknown(expected, dropped, evidence),
    found,
    missing,
  }
}

function checkPause(expectation: Of<'pause'>, evidence: Evidence): Check {
  const { entries, countDropped } = evidence
  const { after, operation, matcher, milliseconds, sameOperation } = expectation
  const causes = entries.filter((entry) => after.matches(entry))
  const what = sameOperation ? 'no call of the same operation' : `no call (${matcher.describe()})`
  const expected = `${what} within ${milliseconds / 1000} seconds after ${after.describe()}`
  const next = new NextCalls(
    entries.filter((entry) => matcher.matches(entry)),
    sameOperation ? bucketOf : () => '',
  )
  for (const cause of causes) {
    const early = next.after(cause)
    if (!early || pauseBetween(cause, early) >= milliseconds) continue
    const seconds = Math.max(0, pauseBetween(cause, early)) / 1000
    const message = `Expected ${expected}; ${early.method} ${pathTextOf(early)} came after ${seconds.toFixed(3)} seconds.`
    return { passed: false, expected, seen: causes.length, message, found: [cause, early] }
  }
  const dropped = countDropped(operation)
  const isKnown = dropped === 0 && !entries.some((entry) => after.isUnknown(entry) || matcher.isUnknown(entry))
  return {
    passed: isKnown,
    expected,
    seen: causes.length,
    message: isKnown ? `Expected ${expected}; saw none.` : describeUnknown(expected, dropped, evidence),
    found: causes,
  }
}

/** From the end of a response to the next request. */
const pauseBetween = (cause: Entry, next: Entry) => millisecondsBetween(cause, next) - (cause.milliseconds ?? 0)

const bucketOf = (entry: Entry) => [entry.operation, sellerOf(entry), entry.caller?.applicationId].join(' ')

/** Finds the next call of a bucket. A log may have many thousands of calls, and each of them may be a cause. */
class NextCalls {
  readonly #calls: Map<string, Entry[]>
  readonly #bucketOf: (entry: Entry) => string

  constructor(calls: readonly Entry[], bucketOf: (entry: Entry) => string) {
    this.#calls = Map.groupBy(calls, bucketOf)
    this.#bucketOf = bucketOf
  }

  /** The first call that a client may have sent because of a response. */
  after(cause: Entry): Entry | undefined {
    const calls = this.#calls.get(this.#bucketOf(cause)) ?? []
    let low = 0
    let high = calls.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isReaction(calls[middle] as Entry, cause)) high = middle
      else low = middle + 1
    }
    return calls[low]
  }
}

const isReaction = ({ number, startedAt }: Entry, cause: Entry) =>
  number > cause.number && startedAt + ROUNDING_MILLISECONDS >= cause.endedAt
