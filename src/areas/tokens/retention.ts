import { deleteExpiredCodes } from '../../marketplace/accounts/authorizations.ts'
import { deleteExpiredTokens } from '../../platform/auth/token-store.ts'
import { inSteps, type Sweep } from '../../platform/sweeps.ts'

// Expired tokens are kept for a day, so that a client that still sends one learns that it expired.
const RETENTION_MILLISECONDS = 24 * 60 * 60 * 1000

export const expiredTokenSweep: Sweep = {
  name: 'expired tokens',
  async sweep({ database, clock }, signal) {
    const now = clock.now()
    await inSteps({ database, signal }, (tx, limit) => deleteExpiredCodes(tx, now, limit))
    const before = new Date(now.getTime() - RETENTION_MILLISECONDS)
    return inSteps({ database, signal }, (tx, limit) => deleteExpiredTokens(tx, before, limit))
  },
}
