import { RETENTION_DAYS } from '../../marketplace/market/index.ts'
import { inSteps, ROWS_PER_STEP, type Sweep } from '../../platform/sweeps.ts'
import { deleteHistoryBefore } from './store/history-store.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** The time from which on the history of a listing is kept: as long as the featured prices of products. */
export const oldestChange = (now: Date): Date => new Date(now.getTime() - RETENTION_DAYS * DAY_MILLISECONDS)

export const oldHistorySweep: Sweep = {
  name: 'old prices and quantities of listings',
  sweep: ({ database, clock }, signal) =>
    inSteps(signal, ROWS_PER_STEP, (limit) =>
      database.transact((tx) => deleteHistoryBefore(tx, oldestChange(clock.now()), limit)),
    ),
}
