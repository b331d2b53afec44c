import { inSteps, type Sweep } from '../../platform/sweeps.ts'
import { deleteDeliveriesBefore } from './delivery/delivery-store.ts'
import { deleteSentBefore } from './delivery/sent-store.ts'
import { READ_COMMITTED } from './fan-out/run.ts'
import { deleteFanOutsBefore } from './fan-out/store.ts'
import { deleteWindowsBefore } from './fan-out/window-store.ts'

const RETENTION_MILLISECONDS = 14 * 24 * 60 * 60 * 1000
// Longer than any window, because a window that has just ended affects the next one.
const WINDOWS_KEPT_MILLISECONDS = 60 * 60 * 1000

/** Deletes events and deliveries older than 14 days. */
export const oldDeliverySweep: Sweep = {
  name: 'old deliveries of notifications',
  async sweep({ database, clock }, signal) {
    const before = (kept: number) => new Date(clock.now().getTime() - kept)
    await inSteps({ database, signal }, (tx, limit) =>
      deleteWindowsBefore(tx, before(WINDOWS_KEPT_MILLISECONDS), limit),
    )
    await inSteps({ database, signal, ...READ_COMMITTED }, (tx, limit) =>
      deleteFanOutsBefore(tx, before(RETENTION_MILLISECONDS), limit),
    )
    await inSteps({ database, signal }, (tx, limit) => deleteSentBefore(tx, before(RETENTION_MILLISECONDS), limit))
    return inSteps({ database, signal }, (tx, limit) =>
      deleteDeliveriesBefore(tx, before(RETENTION_MILLISECONDS), limit),
    )
  },
}
