import type { ModelRequest, Sources } from '../generate.ts'
import type { Market } from '../market.ts'

/** What a model does not say about valid requests of an operation: which things exist, and what goes together. */
export interface Recipe {
  /** Values by name, or by place such as `query.locale`. */
  sources?(market: Market): Sources | Promise<Sources>
  /**
   * Makes a combination valid. A case is about the parameter or the body's property `kept`, if not empty, which must
   * stay.
   */
  combine?(request: ModelRequest, kept: string): void
  /** Puts things into the request that it uses up, such as a report to cancel. */
  renew?(request: ModelRequest, market: Market): Promise<void>
}

type Recipes = Record<string, Recipe>

export type { Recipes }

export const remove = (fields: Record<string, unknown>, ...names: readonly string[]) => {
  for (const name of names) delete fields[name]
}

/** Puts two times of a request into their order. */
export function orderTimes(fields: Record<string, unknown>, from: string, until: string): void {
  const [first, last] = [fields[from], fields[until]]
  if (first === undefined || last === undefined || String(first) <= String(last)) return
  fields[from] = last
  fields[until] = first
}
