import { inSteps, type Sweep } from '../../platform/sweeps.ts'
import { deleteFailuresBefore, MEMORY_MINUTES } from './lock-out.ts'
import { deleteSessionsBefore } from './session-store.ts'
import { MAX_SESSION_HOURS } from './sessions.ts'

export const endedSessionSweep: Sweep = {
  name: 'ended sessions of the console',
  async sweep({ database, clock }, signal) {
    const now = clock.now().getTime()
    const sessionsBefore = new Date(now - MAX_SESSION_HOURS * 3_600_000)
    const failuresBefore = new Date(now - MEMORY_MINUTES * 60_000)
    const sessions = await inSteps({ database, signal }, (tx, limit) => deleteSessionsBefore(tx, sessionsBefore, limit))
    const failures = await inSteps({ database, signal }, (tx, limit) => deleteFailuresBefore(tx, failuresBefore, limit))
    return sessions + failures
  },
}
