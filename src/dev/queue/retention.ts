import { inSteps, type Sweep } from '../../platform/sweeps.ts'
import { deleteExpiredMessages } from './message-store.ts'

export const expiredMessageSweep: Sweep = {
  name: 'expired messages of the local queue',
  sweep({ database, clock }, signal) {
    const now = clock.now().getTime()
    return inSteps({ database, signal }, (tx, limit) => deleteExpiredMessages(tx, now, limit))
  },
}
