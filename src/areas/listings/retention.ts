import { IN_ONE_GO, inSteps, type Sweep } from '../../marketplace/housekeeping.ts'
import { deleteSubmissionsBefore } from './store.ts'

const KEPT_MILLISECONDS = 90 * 24 * 60 * 60 * 1000

/** Submissions are a record of what was asked for; nobody asks for one that is older. */
export const oldSubmissions: Sweep = {
  what: 'old listing submissions',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - KEPT_MILLISECONDS)
    return inSteps(signal, IN_ONE_GO, (limit) => database.transact((tx) => deleteSubmissionsBefore(tx, before, limit)))
  },
}
