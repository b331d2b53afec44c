import type { Ids } from '../ids/port.ts'
import type { JobQueue } from './port.ts'
import { insertJob } from './store.ts'

/** The queue as those see it who put jobs into it. Where other processes do the work, waking does nothing. */
export function createJobQueue(ids: Ids, wake: () => void = () => {}): JobQueue {
  return {
    enqueue: (tx, job) => insertJob(tx, { id: ids.next('job'), ...job }),
    wake,
  }
}
