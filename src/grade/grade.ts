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
  const isEachPassed = passes.every(({ exitCode }) => exitCode === 0) && checks.every(({ verdict }) => isGood(verdict))
  // A program may end with 0 when it is interrupted.
  const isPassed = isEachPassed && !isInterrupted
  return { command, isPassed, passes, isInterrupted, checks, coverage: measureCoverage(passes, operations) }
}

/** A run in which the incident changed nothing says nothing about it. */
export function verdictOf({ exitCode, hits }: Pass): Verdict {
  if (exitCode !== 0) return 'failed'
  return hits === 0 ? 'not exercised' : 'passed'
}

/** Part of the report of a command that was interrupted. */
export const INTERRUPTION = { title: 'All runs are complete', failure: 'interrupted' }

/** What a run says about the command: whether it got through it. */
export const titleOf = ({ name }: Pass) => (name === CALM ? 'The command succeeds' : `The command survives ${name}`)

/** How the command ended, if it failed. */
export const describeEnd = ({ exitCode }: Pass): string =>
  exitCode === EXIT_TIMED_OUT ? `ended with ${exitCode}: it ran out of time` : `ended with ${exitCode}`
