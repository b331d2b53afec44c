import type { Position } from './problems.ts'

/** A seed that was read from text. */
export interface SeedText {
  value: unknown
  /** Where a value, or the nearest one around it, is in the text. */
  locate(path: string): Position | undefined
}

/** Adds the items of a part to those of the parts before it, in place: a list can have many parts. */
export function addItems(before: unknown, items: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(items)) return before ?? items
  for (const item of items) before.push(item)
  return before
}

/** The keys and positions of a path such as `orders[2].items[0].sku`. */
export const parsePath = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) => (index === undefined ? text : Number(index)))
