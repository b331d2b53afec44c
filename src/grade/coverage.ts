import { type Call, fieldOf, type Pass, succeeded } from './pass.ts'

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

const STATE_FIELDS = ['processingStatus', 'OrderStatus', 'fulfillmentStatus', 'status']
const STATE = /^[A-Za-z_]{2,40}$/
const MAX_DEPTH = 4
const MAX_ENTRIES = 200

function statesIn(calls: readonly Call[]): Record<string, string[]> {
  const found = new Map<string, Set<string>>()
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const name of STATE_FIELDS) {
      const state = fieldOf(value, name)
      if (typeof state !== 'string' || !STATE.test(state)) continue
      found.set(name, (found.get(name) ?? new Set()).add(state))
    }
    for (const part of Object.values(value).slice(0, MAX_ENTRIES)) visit(part, depth + 1)
  }
  for (const call of calls) if (succeeded(call)) visit(call.responseBody, 0)
  return Object.fromEntries([...found].map(([name, states]) => [name, [...states].sort()]))
}
