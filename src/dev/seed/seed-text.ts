import type { Position } from './problems.ts'

/** A seed that was read from text. */
export interface SeedText {
  value: unknown
  /** Where a value, or the nearest one around it, is in the text. */
  locate(path: string): Position | undefined
}

/** The keys and positions of a path such as `orders[2].items[0].sku`. */
export const parsePath = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) => (index === undefined ? text : Number(index)))
