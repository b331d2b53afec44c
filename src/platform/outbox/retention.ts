import { inSteps, type Sweep } from '../sweeps.ts'
import { deleteEventsBefore } from './outbox.ts'

const RETENTION_MILLISECONDS = 14 * 24 * 60 * 60 * 1000

export const oldEventSweep: Sweep = {
  name: 'old events',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - RETENTION_MILLISECONDS)
    return inSteps({ database, signal }, (tx, limit) => deleteEventsBefore(tx, before, limit))
  },
}
