import type { Entry } from '../entry.ts'
import type { Matcher } from '../matcher.ts'
import { parseSince, type RequestDependencies, requireOn, type Since } from '../operations.ts'
import { renderSummary } from '../render.ts'
import type { RequestLog } from '../request-log.ts'
import { type Check, checkExpectation, type Evidence } from './check.ts'
import { type ParsedExpectation, parseExpectation } from './expectation.ts'
import { LogWaits } from './log-waits.ts'
import type { ExpectationResult, Verification, VerifyBody } from './schema.ts'

const MAX_SHOWN = 5
const MAX_CLOSEST = 3

interface Judged {
  expectation: ParsedExpectation
  evidence: Evidence
  check: Check
}

const isMet = (judged: readonly Judged[]) => judged.every(({ check }) => check.passed)

/** Compares the log with what a test expects of its client. */
export class Verifier {
  readonly #dependencies: RequestDependencies
  readonly #waits: LogWaits

  constructor(dependencies: RequestDependencies) {
    this.#dependencies = dependencies
    this.#waits = new LogWaits(dependencies.log)
  }

  /** Resolves as soon as all expectations are met, or with what is missing when the time is over. */
  async verify({ expectations, since, timeoutSeconds = 0 }: VerifyBody): Promise<Verification> {
    const { log } = this.#dependencies
    requireOn(log)
    const parsed = expectations.map((one, index) => parseExpectation(one, `expectations[${index}]`, log.operations))
    const period = parseSince(log, since)
    const judge = (): Judged[] => {
      const evidence = collectEvidence(log, period)
      return parsed.map((expectation) => ({ expectation, evidence, check: checkExpectation(expectation, evidence) }))
    }
    let judged = judge()
    await this.#waits.until(isMet(judged) ? 0 : timeoutSeconds * 1000, () => {
      judged = judge()
      return isMet(judged)
    })
    // Not while it waits: comparing all requests with one that is missing takes longer than a check.
    return { passed: isMet(judged), results: judged.map((one) => this.#render(one)) }
  }

  stop(): void {
    this.#waits.endAll()
  }

  #render({ expectation: { name }, check, evidence }: Judged): ExpectationResult {
    const { found, missing, ...result } = check
    const url = this.#dependencies.controlUrl()
    return {
      ...(name !== undefined && { name }),
      ...result,
      requests: found.slice(-MAX_SHOWN).map((entry) => renderSummary(entry, url)),
      closest: (missing ? findClosest(missing, evidence.entries) : []).map(({ entry, differences }) => ({
        request: renderSummary(entry, url),
        differences,
      })),
    }
  }
}

function collectEvidence(log: RequestLog, { includes, mayInclude }: Since): Evidence {
  const entries = log
    .list()
    .filter((entry) => entry.outcome !== 'running' && includes(entry))
    .toReversed()
  return {
    entries,
    maxBodyBytes: log.maxBodyBytes,
    countDropped: (operation) =>
      [...log.dropped]
        .filter(([name, dropped]) => mayInclude(dropped) && (operation === undefined || operation === name))
        .reduce((sum, [, { count }]) => sum + count, 0),
  }
}

/** The requests with the fewest differences, newest first. */
function findClosest(matcher: Matcher, entries: readonly Entry[]) {
  return entries
    .map((entry) => ({ entry, count: matcher.countDifferences(entry) }))
    .filter(({ count }) => count > 0)
    .toReversed()
    .sort((one, other) => one.count - other.count)
    .slice(0, MAX_CLOSEST)
    .map(({ entry }) => ({ entry, differences: matcher.differences(entry) }))
}
