import type { Call, Pass } from './pass.ts'

/** Incomplete: the log has too little to judge, so it did not pass. */
export type Verdict = 'passed' | 'failed' | 'incomplete' | 'not exercised'

export interface CheckResult {
  /** For `--skip`, such as `pagination`. */
  name: string
  /** What holds if it passes. */
  title: string
  verdict: Verdict
  /** One sentence about what was seen. */
  summary: string
  violations: Violation[]
}

export interface Violation {
  pass: string
  requestId: string
  message: string
}

/** A rule of good behavior, judged by all runs of the command. */
export interface Check {
  name: string
  title: string
  judge(passes: readonly Pass[]): Judgment
}

export interface Judgment {
  /** How many cases the rule was about. Without any, it was not exercised. */
  cases: number
  /** What a case is, such as `responses with 429`. */
  of: string
  violations: Violation[]
  /** Cases of which the log has too little to judge. */
  unknown?: number
}

const MAX_VIOLATIONS = 100

export function runCheck({ name, title, judge }: Check, passes: readonly Pass[]): CheckResult {
  const { cases, of, violations, unknown = 0 } = judge(passes)
  const isIncomplete = unknown > 0 || passes.some(({ dropped }) => dropped > 0)
  const failures = violations.length > 0 ? `, ${violations.length} of them wrong` : ''
  const found = cases === 0 ? `There were no ${of}.` : `${cases} ${of}${failures}.`
  return {
    name,
    title,
    verdict: verdictOf(violations.length, isIncomplete, cases),
    summary: isIncomplete ? `${found} The log does not have all requests and responses.` : found,
    violations: violations.slice(0, MAX_VIOLATIONS),
  }
}

function verdictOf(violations: number, isIncomplete: boolean, cases: number): Verdict {
  if (violations > 0) return 'failed'
  if (isIncomplete) return 'incomplete'
  return cases === 0 ? 'not exercised' : 'passed'
}

/** Whether it lets a command pass. */
export const isGood = (verdict: Verdict) => verdict === 'passed' || verdict === 'not exercised'

/** Judges each run alone and adds the results. */
export function judgeEach(
  passes: readonly Pass[],
  of: string,
  judge: (pass: Pass) => { cases: number; unknown?: number; violations: { call: Call; message: string }[] },
): Judgment {
  const judged = passes.map((pass) => ({ pass, ...judge(pass) }))
  return {
    of,
    cases: judged.reduce((sum, { cases }) => sum + cases, 0),
    unknown: judged.reduce((sum, { unknown = 0 }) => sum + unknown, 0),
    violations: judged.flatMap(({ pass, violations }) =>
      violations.map(({ call, message }) => ({ pass: pass.name, requestId: call.id, message })),
    ),
  }
}
