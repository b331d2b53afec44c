import { IN_ONE_GO, inSteps, type Sweep } from '../../marketplace/housekeeping.ts'
import { deleteDeliveriesBefore } from './delivery/delivery-store.ts'
import { deleteFanOutsBefore } from './fan-out/store.ts'
import { deleteWindowsBefore } from './fan-out/window-store.ts'

const KEPT_MILLISECONDS = 14 * 24 * 60 * 60 * 1000
// Longer than any window is: one that has just ended may still have something to say of the next.
const WINDOWS_KEPT_MILLISECONDS = 60 * 60 * 1000

/** What could not be told in two weeks is told to nobody. */
export const oldDeliveries: Sweep = {
  what: 'old deliveries of notifications',
  async sweep({ database, clock }, signal) {
    const before = (kept: number) => new Date(clock.now().getTime() - kept)
    await inSteps(signal, IN_ONE_GO, (limit) =>
      database.transact((tx) => deleteWindowsBefore(tx, before(WINDOWS_KEPT_MILLISECONDS), limit)),
    )
    await inSteps(signal, IN_ONE_GO, (limit) =>
      database.transact((tx) => deleteFanOutsBefore(tx, before(KEPT_MILLISECONDS), limit)),
    )
    return inSteps(signal, IN_ONE_GO, (limit) =>
      database.transact((tx) => deleteDeliveriesBefore(tx, before(KEPT_MILLISECONDS), limit)),
    )
  },
}
