import { inSteps, ROWS_PER_STEP, type Sweep } from '../../platform/sweeps.ts'
import { deleteExpiredMessages } from './message-store.ts'

export const expiredMessageSweep: Sweep = {
  name: 'expired messages of the local queue',
  sweep({ database, clock }, signal) {
    const now = clock.now().getTime()
    return inSteps(signal, ROWS_PER_STEP, (limit) => database.transact((tx) => deleteExpiredMessages(tx, now, limit)))
  },
}
