import { median } from './median.ts'

export interface Figure {
  what: string
  unit: string
  ours: number
  baseline?: number
  ratio?: number
  wanted: string
  ok: boolean
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export interface Round {
  ours: number
  baseline: number
}

/** A figure that must reach a share of the baseline's. */
export function atLeast(share: number, what: string, unit: string, rounds: readonly Round[]): Figure {
  const { figure, ratio } = compareRounds(what, unit, rounds)
  return { ...figure, wanted: `ratio >= ${share}`, ok: ratio >= share }
}

/** A figure that must not exceed a multiple of the baseline's. */
export function atMostTimes(multiple: number, what: string, unit: string, rounds: readonly Round[]): Figure {
  const { figure, ratio } = compareRounds(what, unit, rounds)
  return { ...figure, wanted: `ratio <= ${multiple}`, ok: ratio <= multiple }
}

/** A figure with an absolute limit; the baseline, if any, only shows how fast the machine is. */
export function atMost(limit: number, what: string, unit: string, ours: number, baseline?: number): Figure {
  return { ...compare(what, unit, ours, baseline), wanted: `<= ${numbers.format(limit)} ${unit}`, ok: ours <= limit }
}

/** A figure that must reach a height of its own. */
export function atLeastAbsolute(limit: number, what: string, unit: string, ours: number): Figure {
  return { ...compare(what, unit, ours, undefined), wanted: `>= ${numbers.format(limit)} ${unit}`, ok: ours >= limit }
}

/**
 * The ratio is the median of the rounds' own: what the two did right after one another compares, what they did half a
 * minute apart does not.
 */
function compareRounds(what: string, unit: string, rounds: readonly Round[]) {
  const ours = median(rounds.map((round) => round.ours))
  const baseline = median(rounds.map((round) => round.baseline))
  const ratio = median(rounds.map((round) => round.ours / round.baseline))
  return { figure: { what, unit, ours, baseline, ratio }, ratio }
}

function compare(what: string, unit: string, ours: number, baseline: number | undefined) {
  return { what, unit, ours, ...(baseline !== undefined && { baseline, ratio: ours / baseline }) }
}

export function formatTable(figures: readonly Figure[]): string {
  const rows = [
    ['what', 'ours', 'baseline', 'ratio', 'wanted', 'ok'],
    ...figures.map(({ what, unit, ours, baseline, ratio, wanted, ok }) => [
      what,
      `${numbers.format(ours)} ${unit}`,
      baseline === undefined ? '-' : `${numbers.format(baseline)} ${unit}`,
      ratio?.toFixed(2) ?? '-',
      wanted,
      ok ? 'yes' : 'NO',
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('-|-'))
  return lines.join('\n')
}
