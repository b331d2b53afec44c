import { readFileSync, writeFileSync } from 'node:fs'
import { CHECK_KINDS, type CheckKind } from './checks.ts'
import type { Outcome } from './outcome.ts'

/** Passed checks by operation and kind. Kinds without a check are absent. */
export type Baseline = Record<string, Partial<Record<CheckKind, number>>>

const file = new URL('baseline.json', import.meta.url)

export const readBaseline = (): Baseline => JSON.parse(readFileSync(file, 'utf8'))

export function writeBaseline(baseline: Baseline): void {
  const rows = Object.entries(baseline).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
}

export const toBaseline = (outcomes: readonly Outcome[]): Baseline =>
  Object.fromEntries(outcomes.map((outcome) => [outcome.operation, passedOf(outcome)]))

function passedOf({ counts }: Outcome): Partial<Record<CheckKind, number>> {
  return Object.fromEntries(
    CHECK_KINDS.filter((kind) => counts[kind].total > 0).map((kind) => [kind, counts[kind].passed]),
  )
}

/** The larger count of each kind. To lower one on purpose, edit the file. */
export function raise(baseline: Baseline, current: Baseline): Baseline {
  const raised = Object.entries(current).map(([operation, counts]) => {
    const before = baseline[operation] ?? {}
    const larger = Object.entries(counts).map(([kind, count]) => [
      kind,
      Math.max(count, before[kind as CheckKind] ?? 0),
    ])
    return [operation, { ...before, ...Object.fromEntries(larger) }]
  })
  return { ...baseline, ...Object.fromEntries(raised) }
}

/** What passed before and does not now. */
export function listFallen(baseline: Baseline, current: Baseline): string[] {
  return Object.entries(baseline).flatMap(([operation, before]) => {
    const now = current[operation]
    if (!now) return [`${operation} is in the baseline, but in no model`]
    return Object.entries(before)
      .filter(([kind, count]) => (now[kind as CheckKind] ?? 0) < count)
      .map(([kind, count]) => `${operation}: ${now[kind as CheckKind] ?? 0} checks of ${kind} pass, before ${count}`)
  })
}
