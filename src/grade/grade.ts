import { type Check, type CheckResult, isGood, runCheck, type Verdict } from './check.ts'
import { duplicatesAreHandled } from './checks/duplicates.ts'
import { expiredLinksAreRefreshed } from './checks/links.ts'
import { listsAreReadToTheEnd } from './checks/pagination.ts'
import { personalDataIsProtected } from './checks/personal-data.ts'
import { solicitationsAreNotRepeated } from './checks/solicitations.ts'
import { backOffIsKept, throttledCallsAreRepeated } from './checks/throttling.ts'
import { tokensAreCached } from './checks/tokens.ts'
import { type Coverage, measureCoverage, type Operation } from './coverage.ts'
import { EXIT_TIMED_OUT } from './exit-codes.ts'
import type { Pass } from './pass.ts'

export const CALM = 'calm'

export const CHECKS: readonly Check[] = [
  tokensAreCached,
  backOffIsKept,
  throttledCallsAreRepeated,
  listsAreReadToTheEnd,
  expiredLinksAreRefreshed,
  solicitationsAreNotRepeated,
  duplicatesAreHandled,
  personalDataIsProtected,
]

export interface Grade {
  /** The command, as it was given. */
  command: string
  isPassed: boolean
  passes: Pass[]
  /** Whether a user ended it before all runs were complete. */
  isInterrupted: boolean
  checks: CheckResult[]
  coverage: Coverage
}

export interface GradeInput {
  command: string
  passes: Pass[]
  isInterrupted?: boolean
  operations: readonly Operation[]
  /** Names of checks to leave out. */
  skipped: readonly string[]
}

export function gradePasses({ command, passes, isInterrupted = false, operations, skipped }: GradeInput): Grade {
  const checks = CHECKS.filter(({ name }) => !skipped.includes(name)).map((check) => runCheck(check, passes))
  const isEachPassed =
    passes.every((pass) => failureOf(pass) === undefined) && checks.every(({ verdict }) => isGood(verdict))
  // A program may end with 0 when it is interrupted.
  const isPassed = isEachPassed && !isInterrupted
  return { command, isPassed, passes, isInterrupted, checks, coverage: measureCoverage(passes, operations) }
}

/** A run in which the incident changed nothing says nothing about it. */
export function verdictOf(pass: Pass): Verdict {
  if (failureOf(pass) !== undefined) return 'failed'
  return pass.hits === 0 ? 'not exercised' : 'passed'
}

/** Part of the report of a command that was interrupted. */
export const INTERRUPTION = { title: 'All runs are complete', failure: 'interrupted' }

/** What a run says about the command: whether it got through it. */
export const titleOf = ({ name }: Pass) => (name === CALM ? 'The command succeeds' : `The command survives ${name}`)

const NO_REQUESTS =
  'sent no request to Souk: perhaps it ignores the proxy (HTTPS_PROXY), does not take its base address from the environment ' +
  '(SOUK_URL), mocks HTTP, or uses a fork'

const WAS_RESET =
  'reset Souk, or removed its fault rules, which ends the incident: there is nothing to grade. Let its tests not reset ' +
  'Souk if SOUK_RESET is 0'

const wasCleared = (cleared: number) =>
  `cleared the log of requests, after ${cleared}: what it did before cannot be graded. Let its tests not clear the log ` +
  'if SOUK_RESET is 0'

/** What the command did wrong in a run as a whole. */
export function failureOf({ name, exitCode, calls, dropped, cleared, wasReset }: Pass): string | undefined {
  if (exitCode === EXIT_TIMED_OUT) return `ended with ${exitCode}: it ran out of time`
  if (exitCode !== 0) return `ended with ${exitCode}`
  if (wasReset) return WAS_RESET
  if (cleared > 0) return wasCleared(cleared)
  // With an incident, it may give up before its first request. In calm, there is nothing to grade.
  return name === CALM && calls.length + dropped === 0 ? NO_REQUESTS : undefined
}
