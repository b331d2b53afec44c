import { inSteps, type Sweep } from '../sweeps.ts'
import { deleteGivenUpBefore } from './given-up-store.ts'

// An operator has a month to retry them.
const RETENTION_MILLISECONDS = 30 * 24 * 60 * 60 * 1000

export const oldGivenUpJobSweep: Sweep = {
  name: 'old jobs that were given up',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - RETENTION_MILLISECONDS)
    return inSteps({ database, signal }, (tx, limit) => deleteGivenUpBefore(tx, before, limit))
  },
}
