import { createLifeJobs, LifeIds, LifeTime } from '../dev/life/index.ts'
import { createJobQueue } from '../platform/jobs/job-queue.ts'
import type { JobHandlers } from '../platform/jobs/port.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'
import { createWorkerAreas, type WorkerAreaDependencies } from './areas.ts'

/** The job of the living market. It writes through areas of its own, whose clock and ids are those of its steps. */
export function createLife(dependencies: Omit<WorkerAreaDependencies, 'outbox'>): JobHandlers {
  const { clock, ids: ownIds, wakeWorker } = dependencies
  const time = new LifeTime()
  const ids = new LifeIds(time)
  const outbox = createOutbox(ids, wakeWorker)
  const { orders, competitorOffers, moveStock } = createWorkerAreas({ ...dependencies, clock: time, ids, outbox })
  return createLifeJobs({ clock, jobs: createJobQueue(ownIds), orders, competitorOffers, moveStock, time, ids })
}
