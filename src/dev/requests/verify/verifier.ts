import { inSlices } from '../../../platform/in-slices.ts'
import type { Entry } from '../entry.ts'
import type { Matcher } from '../matcher.ts'
import { parseSince, type RequestDependencies, requireOn, type Since } from '../operations.ts'
import { renderSummary } from '../render.ts'
import type { RequestLog } from '../request-log.ts'
import { type Check, checkExpectation, type Evidence } from './check.ts'
import { matchersOf, type ParsedExpectation, parseExpectation } from './expectation.ts'
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
    await compareInSlices(collectEvidence(log, period).entries, parsed.flatMap(matchersOf))
    let judged = judge()
    await this.#waits.until(isMet(judged) ? 0 : timeoutSeconds * 1000, () => {
      judged = judge()
      return isMet(judged)
    })
    // Not while it waits: comparing all requests with one that is missing takes longer than a check.
    const results: ExpectationResult[] = []
    for (const one of judged) results.push(await this.#render(one))
    return { passed: isMet(judged), results }
  }

  stop(): void {
    this.#waits.endAll()
  }

  async #render({ expectation: { name }, check, evidence }: Judged): Promise<ExpectationResult> {
    const { found, missing, ...result } = check
    const url = this.#dependencies.controlUrl()
    const closest = missing ? await findClosest(missing, evidence.entries) : []
    return {
      ...(name !== undefined && { name }),
      ...result,
      requests: found.slice(-MAX_SHOWN).map((entry) => renderSummary(entry, url)),
      closest: closest.map(({ entry, differences }) => ({
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

/** Matchers know what they have compared, and checks compare many requests at once. */
async function compareInSlices(entries: readonly Entry[], matchers: readonly Matcher[]): Promise<void> {
  for await (const entry of inSlices(entries)) for (const matcher of matchers) matcher.isUnknown(entry)
}

/** The requests with the fewest differences, newest first. */
async function findClosest(matcher: Matcher, entries: readonly Entry[]) {
  const found: { entry: Entry; count: number }[] = []
  for await (const entry of inSlices(entries.toReversed())) {
    const count = matcher.countDifferences(entry)
    if (count > 0) found.push({ entry, count })
  }
  return found
    .sort((one, other) => one.count - other.count)
    .slice(0, MAX_CLOSEST)
    .map(({ entry }) => ({ entry, differences: matcher.differences(entry) }))
}
