import { inSteps, ROWS_PER_STEP, type Sweep } from '../sweeps.ts'
import { deleteEventsBefore } from './outbox.ts'

const RETENTION_MILLISECONDS = 14 * 24 * 60 * 60 * 1000

export const oldEventSweep: Sweep = {
  name: 'old events',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - RETENTION_MILLISECONDS)
    return inSteps(signal, ROWS_PER_STEP, (limit) => database.transact((tx) => deleteEventsBefore(tx, before, limit)))
  },
}
