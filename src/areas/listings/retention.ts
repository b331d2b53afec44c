import { inSteps, ROWS_PER_STEP, type Sweep } from '../../platform/sweeps.ts'
import { oldestChange } from './domain/history.ts'
import { deleteHistoryBefore } from './store/history-store.ts'

export const oldHistorySweep: Sweep = {
  name: 'old prices and quantities of listings',
  sweep: ({ database, clock }, signal) =>
    inSteps(signal, ROWS_PER_STEP, (limit) =>
      database.transact((tx) => deleteHistoryBefore(tx, oldestChange(clock.now()), limit)),
    ),
}
