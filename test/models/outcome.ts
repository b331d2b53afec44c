import { CHECK_KINDS, type Check, type CheckKind } from './checks.ts'
import type { Difference } from './differences.ts'

export type Counts = Record<CheckKind, { passed: number; total: number }>

/** What the checks of an operation showed. */
export interface Outcome {
  /** The operation id of Souk. If it is not served, the name, with its model if two models have it. */
  operation: string
  isServed: boolean
  counts: Counts
  /** Failed checks that no listed difference explains. */
  failures: Check[]
  /** The reasons of the checks that fail on purpose. */
  reasons: string[]
}

/** Compares failed checks with the listed differences. Remembers which of those were needed. */
export class DifferenceList {
  readonly #differences: readonly Difference[]
  readonly #used = new Set<string>()

  constructor(differences: readonly Difference[]) {
    this.#differences = differences
  }

  judge(operation: string, isServed: boolean, checks: readonly Check[]): Outcome {
    const counts = Object.fromEntries(CHECK_KINDS.map((kind) => [kind, { passed: 0, total: 0 }])) as Counts
    const failures: Check[] = []
    const reasons = new Set<string>()
    for (const check of checks) {
      const unexplained = check.violations.filter((violation) => {
        const reason = this.#explain(operation, check, violation)
        if (reason) reasons.add(reason)
        return !reason
      })
      counts[check.kind].total++
      if (check.violations.length === 0) counts[check.kind].passed++
      if (unexplained.length > 0) failures.push({ ...check, violations: unexplained })
    }
    return { operation, isServed, counts, failures, reasons: [...reasons] }
  }

  /** Differences that no longer exist, among these operations. */
  listUnused(operations: readonly string[]): string[] {
    return this.#differences.flatMap((difference, index) =>
      difference.operations
        .filter((operation) => operations.includes(operation))
        .flatMap((operation) => keysOf(operation, difference, index).filter((key) => !this.#used.has(key))),
    )
  }

  #explain(operation: string, check: Check, violation: string): string | undefined {
    const index = this.#differences.findIndex(
      (one) =>
        one.operations.includes(operation) &&
        one.kind === check.kind &&
        (one.names?.includes(check.name) ?? true) &&
        (one.violation?.test(violation) ?? true),
    )
    const found = this.#differences[index]
    if (!found) return undefined
    this.#used.add(keyOf(operation, found, index, found.names ? check.name : undefined))
    return found.reason
  }
}

const keyOf = (operation: string, { kind }: Difference, index: number, name: string | undefined) =>
  `${operation}, ${kind}${name === undefined ? '' : ` ${name}`} (difference ${index + 1})`

const keysOf = (operation: string, difference: Difference, index: number) =>
  (difference.names ?? [undefined]).map((name) => keyOf(operation, difference, index, name))
