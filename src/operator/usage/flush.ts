import type { Database } from '../../platform/database/port.ts'
import { chunks } from '../../platform/database/tuples.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { addUsage } from './store.ts'
import type { UsageCounter } from './usage-counter.ts'

const ROWS_PER_TRANSACTION = 1000
// Sums do not depend on the order of additions, and the key of a row decides who adds first.
const READ_COMMITTED = { isolation: 'read committed' } as const

export interface UsageFlushDependencies {
  database: Database
  counter: UsageCounter
  logger: Logger
}

/** Returns the function that writes what was counted since the last time, one call after the other. */
export function createUsageFlush({ database, counter, logger }: UsageFlushDependencies): () => Promise<void> {
  let previous: Promise<void> = Promise.resolve()
  return () => {
    const flushed = previous.then(flush)
    previous = flushed.catch(() => {})
    return flushed
  }

  async function flush(): Promise<void> {
    const uncounted = counter.takeUncounted()
    if (uncounted > 0)
      logger.warn({ requests: uncounted }, 'too many callers at once: requests are missing in the usage')
    const parts = [...chunks(counter.take(), ROWS_PER_TRANSACTION)]
    for (const [index, part] of parts.entries()) {
      try {
        await database.transact((tx) => addUsage(tx, part), READ_COMMITTED)
      } catch (error) {
        counter.giveBack(parts.slice(index).flat())
        throw error
      }
    }
  }
}
