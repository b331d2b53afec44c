import { setImmediate } from 'node:timers/promises'

const ITEMS_PER_STEP = 500

/** Called with how much of a large seed is read, in characters. */
export type ReportReading = (done: number, total: number) => void

/** Lets other work of the process go on: a large seed takes seconds, in which all its forks would stand still. */
export const pause = () => setImmediate()

/** Calls back with parts of a list, and pauses after each. */
export async function inSteps<Item>(items: readonly Item[], use: (some: readonly Item[], first: number) => void) {
  for (let first = 0; first < items.length; first += ITEMS_PER_STEP) {
    use(items.slice(first, first + ITEMS_PER_STEP), first)
    await pause()
  }
}

/** As the method of lists, with pauses. */
export async function mapInSteps<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  await inSteps(items, (some, first) => {
    for (const [index, item] of some.entries()) results.push(map(item, first + index))
  })
  return results
}
