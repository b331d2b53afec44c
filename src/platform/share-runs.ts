import { endOfTick } from './end-of-tick.ts'
import { UnavailableError } from './errors/unavailable-error.ts'

interface Limits {
  /** Maximum number of runs at the same time. */
  runs: number
  itemsPerRun: number
}

interface Run<Item, Result> {
  items: Item[]
  result: Promise<Result>
}

/**
 * Callers at the same time share a run of `work`, but never one that began before they asked. While the maximum number of
 * runs goes on, further callers wait for the next one together. If a shared run fails, each caller gets a run of its own.
 */
export function shareRuns<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
  { runs, itemsPerRun }: Limits,
): (items: readonly Item[]) => Promise<Result> {
  let next: Run<Item, Result> | undefined
  let free = runs
  const waiting: (() => void)[] = []

  function join(items: readonly Item[]): Run<Item, Result> {
    if (next && next.items.length + items.length <= itemsPerRun) {
      next.items.push(...items)
      return next
    }
    const own = [...items]
    const run = { items: own, result: start(own) }
    next = run
    return run
  }

  async function start(items: readonly Item[]): Promise<Result> {
    await endOfTick()
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    if (next?.items === items) next = undefined
    try {
      return await work(items)
    } finally {
      const resume = waiting.shift()
      if (resume) resume()
      else free++
    }
  }

  return async (items) => {
    const run = join(items)
    try {
      return await run.result
    } catch (error) {
      const isShared = run.items.length > items.length
      if (!isShared || error instanceof UnavailableError) throw error
      return start([...items])
    }
  }
}
