import { inSteps, type Sweep } from '../../platform/sweeps.ts'
import { oldestChange } from './domain/history.ts'
import { deleteHistoryBefore } from './store/history-store.ts'

export const oldHistorySweep: Sweep = {
  name: 'old prices and quantities of listings',
  sweep: ({ database, clock }, signal) =>
    inSteps({ database, signal }, (tx, limit) => deleteHistoryBefore(tx, oldestChange(clock.now()), limit)),
}
