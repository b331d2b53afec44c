import { hash } from 'node:crypto'
import type { Ids } from '../ids/port.ts'
import type { JobQueue } from './port.ts'
import { insertJob, insertKeyedJob, removeJobs } from './store.ts'

/** `onEnqueued` is called after the commit, so that a worker in this process does not wait for its next poll. */
export function createJobQueue(ids: Ids, onEnqueued?: () => void): JobQueue {
  return {
    enqueue(tx, { key, ...job }) {
      if (onEnqueued) tx.afterCommit(onEnqueued)
      return key === undefined
        ? insertJob(tx, { id: ids.next('job'), ...job })
        : insertKeyedJob(tx, { id: idOf(job.kind, key), ...job })
    },
    async remove(tx, kind, keys) {
      const ids = keys.map((key) => idOf(kind, key))
      if (ids.length > 0) await removeJobs(tx, ids)
    },
  }
}

const idOf = (kind: string, key: string) => `${kind}-${hash('sha256', key, 'base64url')}`
