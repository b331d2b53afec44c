import { hash } from 'node:crypto'
import type { Ids } from '../ids/port.ts'
import type { JobQueue } from './port.ts'
import { insertJob, insertKeyedJob } from './store.ts'

/** The queue as those see it who put jobs into it. Where other processes do the work, waking does nothing. */
export function createJobQueue(ids: Ids, wake: () => void = () => {}): JobQueue {
  return {
    enqueue: (tx, { key, ...job }) =>
      key === undefined
        ? insertJob(tx, { id: ids.next('job'), ...job })
        : insertKeyedJob(tx, { id: `${job.kind}-${hash('sha256', key, 'base64url')}`, ...job }),
    wake,
  }
}
