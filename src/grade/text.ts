import { failureOf, type Grade, INTERRUPTION, titleOf, verdictOf } from './grade.ts'

const SIGNS = { passed: 'ok  ', failed: 'FAIL', incomplete: '?   ', 'not exercised': '-   ' }
const MAX_SHOWN = 5

/** The report for a terminal. */
export function renderText({ passes, isInterrupted, checks, coverage, isPassed }: Grade): string {
  const used = coverage.operations.filter(({ use }) => use === 'succeeded').length
  const states = Object.entries(coverage.states).map(([name, values]) => `       ${name}: ${values.join(', ')}`)
  return [
    ...passes.map((pass) => {
      const lost = pass.dropped > 0 ? `; the log no longer had ${pass.dropped} older ones` : ''
      const failure = failureOf(pass)
      const failed = failure === undefined ? '' : `, ${failure}`
      const untouched = pass.hits === 0 ? ', none of them changed by it' : ''
      return `${SIGNS[verdictOf(pass)]}  ${titleOf(pass)} (${pass.calls.length} requests${untouched}${failed}${lost})`
    }),
    ...(isInterrupted ? [`${SIGNS.failed}  ${INTERRUPTION.title}: ${INTERRUPTION.failure}`] : []),
    ...checks.flatMap(({ name, title, verdict, summary, violations }) => [
      `${SIGNS[verdict]}  ${title} [${name}]: ${summary}`,
      ...violations
        .slice(0, MAX_SHOWN)
        .map(({ pass, requestId, message }) => `        ${pass}, ${requestId}: ${message}`),
      ...(violations.length > MAX_SHOWN ? [`        and ${violations.length - MAX_SHOWN} more`] : []),
    ]),
    `${used} of ${coverage.operations.length} operations succeeded at least once`,
    ...(states.length > 0 ? ['States that were seen:', ...states] : []),
    isPassed ? 'Passed.' : 'Failed.',
  ].join('\n')
}
