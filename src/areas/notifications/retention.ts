import { inSteps, ROWS_PER_STEP, type Sweep } from '../../platform/sweeps.ts'
import { deleteDeliveriesBefore } from './delivery/delivery-store.ts'
import { deleteFanOutsBefore } from './fan-out/store.ts'
import { deleteWindowsBefore } from './fan-out/window-store.ts'

const RETENTION_MILLISECONDS = 14 * 24 * 60 * 60 * 1000
// Longer than any window is: one that has just ended may still have something to say of the next.
const WINDOWS_KEPT_MILLISECONDS = 60 * 60 * 1000

/** What could not be told in two weeks is told to nobody. */
export const oldDeliverySweep: Sweep = {
  name: 'old deliveries of notifications',
  async sweep({ database, clock }, signal) {
    const before = (kept: number) => new Date(clock.now().getTime() - kept)
    await inSteps(signal, ROWS_PER_STEP, (limit) =>
      database.transact((tx) => deleteWindowsBefore(tx, before(WINDOWS_KEPT_MILLISECONDS), limit)),
    )
    await inSteps(signal, ROWS_PER_STEP, (limit) =>
      database.transact((tx) => deleteFanOutsBefore(tx, before(RETENTION_MILLISECONDS), limit)),
    )
    return inSteps(signal, ROWS_PER_STEP, (limit) =>
      database.transact((tx) => deleteDeliveriesBefore(tx, before(RETENTION_MILLISECONDS), limit)),
    )
  },
}
