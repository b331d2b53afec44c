import { type Call, type Pass, succeeded } from './pass.ts'

/** An operation that Souk serves. */
export interface Operation {
  name: string
  /** The API it belongs to, such as `orders`. */
  area: string
}

export type Use = 'succeeded' | 'refused' | 'not called'

export interface Coverage {
  operations: (Operation & { use: Use; calls: number })[]
  /** The states that the command has seen, by the name of their field. */
  states: Record<string, string[]>
}

export function measureCoverage(passes: readonly Pass[], operations: readonly Operation[]): Coverage {
  const calls = passes.flatMap((pass) => pass.calls)
  return {
    operations: operations.map((operation) => {
      const own = calls.filter((call) => call.operation === operation.name)
      const use = own.some(succeeded) ? 'succeeded' : own.length > 0 ? 'refused' : 'not called'
      return { ...operation, use, calls: own.length }
    }),
    states: statesIn(calls),
  }
}

function statesIn(calls: readonly Call[]): Record<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const call of calls.filter(succeeded)) {
    for (const [name, state] of call.states) found.set(name, (found.get(name) ?? new Set()).add(state))
  }
  return Object.fromEntries([...found].map(([name, states]) => [name, [...states].sort()]))
}
