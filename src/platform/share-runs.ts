import { withDeadline } from './deadline.ts'
import { endOfTick } from './end-of-tick.ts'
import { UnavailableError } from './errors/unavailable-error.ts'

interface Limits {
  /** Maximum number of shared runs at the same time. */
  runs: number
  itemsPerRun: number
  /** Maximum time until a shared run begins. */
  waitMilliseconds: number
}

interface Work<Item, Result> {
  /** Should refuse with an error what would take long: other callers wait for it. */
  shared: (items: readonly Item[]) => Promise<Result>
  alone: (items: readonly Item[]) => Promise<Result>
  /** Whether what failed a shared run would fail each of its callers, too. */
  failsAll: (error: unknown) => boolean
}

interface Run<Item, Result> {
  items: Item[]
  result: Promise<Result>
}

/**
 * Callers at the same time share a run, but never one that began before they asked. While the maximum number of
 * runs goes on, further callers wait for the next one together. If a shared run fails, each caller gets a run of its own.
 */
export function shareRuns<Item, Result>(
  { shared, alone, failsAll }: Work<Item, Result>,
  { runs, itemsPerRun, waitMilliseconds }: Limits,
): (items: readonly Item[]) => Promise<Result> {
  let next: Run<Item, Result> | undefined
  let free = runs
  const waiting = new Set<() => void>()

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
    try {
      await untilFree()
    } finally {
      if (next?.items === items) next = undefined
    }
    try {
      return await shared(items)
    } finally {
      const [resume] = waiting
      if (resume) resume()
      else free++
    }
  }

  async function untilFree(): Promise<void> {
    if (free > 0) {
      free--
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const resume = () => {
      waiting.delete(resume)
      resolve()
    }
    waiting.add(resume)
    await withDeadline(waitMilliseconds, () => promise, { createError: createBusyError }).catch((error: unknown) => {
      waiting.delete(resume)
      throw error
    })
  }

  return async (items) => {
    try {
      return await join(items).result
    } catch (error) {
      if (failsAll(error)) throw error
      return alone(items)
    }
  }
}

const createBusyError = () => new UnavailableError('Too many requests wait for the same work')
