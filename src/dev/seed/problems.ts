import { MAX_VIOLATIONS, type Violation } from '../../platform/errors/api-error.ts'

/** What is wrong at one place of a seed. */
export interface SeedProblem {
  /** `orders[2].items[0].sku`; empty for the whole. */
  path: string
  reason: string
  /** Absent for a seed that is not text. The first line and column are 1. */
  line?: number
  column?: number
}

export interface Position {
  line: number
  column: number
}

/** A seed that cannot be used. Its message has a line for each problem. */
export class SeedError extends Error {
  readonly problems: readonly SeedProblem[]

  constructor(problems: readonly SeedProblem[], source?: string) {
    super(problems.map((problem) => formatProblem(problem, source)).join('\n'))
    this.name = 'SeedError'
    this.problems = problems
  }
}

/** As compilers write it, so that editors and terminals link to the place. */
export function formatProblem({ path, reason, line, column }: SeedProblem, source = 'seed'): string {
  const place = line === undefined ? source : `${source}:${line}:${column}`
  return [place, path, reason].filter(Boolean).join(': ')
}

/** Gives violations their places in the text, those of the same place once, in the order of the text. */
export function locateProblems(
  violations: readonly Violation[],
  locate: ((path: string) => Position | undefined) | undefined,
): SeedProblem[] {
  const problems = violations
    .slice(0, MAX_VIOLATIONS)
    .map((violation) => ({ ...violation, ...locate?.(violation.path) }))
  if (!locate) return problems
  const rank = ({ line = 0, column = 0 }: SeedProblem) => line * 1_000_000 + column
  return problems.sort((one, other) => rank(one) - rank(other))
}
