import { hash } from 'node:crypto'
import type { Ids } from '../ids/port.ts'
import type { JobQueue } from './port.ts'
import { insertJob, insertKeyedJob } from './store.ts'

/** `onEnqueued` is called after the commit, so that a worker in this process does not wait for its next poll. */
export function createJobQueue(ids: Ids, onEnqueued?: () => void): JobQueue {
  return {
    enqueue(tx, { key, ...job }) {
      if (onEnqueued) tx.afterCommit(onEnqueued)
      return key === undefined
        ? insertJob(tx, { id: ids.next('job'), ...job })
        : insertKeyedJob(tx, { id: `${job.kind}-${hash('sha256', key, 'base64url')}`, ...job })
    },
  }
}
