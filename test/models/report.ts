import { CHECK_KINDS } from './checks.ts'
import type { Counts, Outcome } from './outcome.ts'

const NAME_WIDTH = 50
const WIDTH = 12

export const formatHeader = () =>
  `${'operation'.padEnd(NAME_WIDTH)}${CHECK_KINDS.map((kind) => kind.padEnd(WIDTH)).join('')}`

/** Passed and all checks of each kind. Checks that fail on purpose count in the second number only. */
export function formatRow({ operation, isServed, counts, failures }: Outcome): string {
  const cells = isServed ? CHECK_KINDS.map((kind) => formatCount(counts[kind]).padEnd(WIDTH)).join('') : 'not served'
  return `${operation.padEnd(NAME_WIDTH - 1)} ${cells.trimEnd()}${failures.length > 0 ? '  FAILED' : ''}`
}

const formatCount = ({ passed, total }: Counts[keyof Counts]) => (total === 0 ? '-' : `${passed}/${total}`)

export function formatFailures({ operation, failures }: Outcome): string[] {
  return failures.map(
    ({ kind, name, violations }) =>
      `${operation}, ${kind}, ${name}:\n${violations.map((text) => `    ${text}`).join('\n')}`,
  )
}

export function formatTotals(outcomes: readonly Outcome[]): string {
  const served = outcomes.filter(({ isServed }) => isServed)
  const sum = (of: 'passed' | 'total') =>
    outcomes.flatMap(({ counts }) => CHECK_KINDS.map((kind) => counts[kind][of])).reduce((a, b) => a + b, 0)
  const differ = sum('total') - sum('passed')
  return `${served.length} of ${outcomes.length} operations are served; ${sum('passed')} checks pass, ${differ} do not.`
}
