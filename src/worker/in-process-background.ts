import { Relay } from '../areas/notifications/index.ts'
import { type Area, expandersOf, jobsOf } from '../composition/area.ts'
import { createWorkerAreas } from '../composition/areas.ts'
import type { WorkerOptions } from '../config/config.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'
import type { Background, WorkerPlatform } from './background.ts'

export interface InProcessBackground extends Background {
  areas: readonly Area[]
}

const HOUR_MILLISECONDS = 60 * 60 * 1000

/** Runs jobs and sends notifications in this thread. `expanders` replaces those of the areas, for tests. */
export function startBackground(
  platform: WorkerPlatform,
  options: WorkerOptions,
  expanders?: Expanders,
): InProcessBackground {
  const { concurrency, leaseSeconds, jobOutageHours, maxPendingNotifications, delayMilliseconds } = options
  // Notifications of a job are sent without waiting for the next poll.
  const wakeRelay = () => relay.wake()
  const outbox = createOutbox(platform.ids, wakeRelay)
  const { all: areas } = createWorkerAreas({ ...platform, outbox, delayMilliseconds, wakeWorker: wakeRelay })
  const relay = new Relay({
    ...platform,
    leaseSeconds,
    maxPending: maxPendingNotifications,
    expanders: expanders ?? expandersOf(areas),
  })
  const runner = new JobRunner({
    ...platform,
    concurrency,
    leaseSeconds,
    outageLimitMilliseconds: jobOutageHours * HOUR_MILLISECONDS,
    handlers: jobsOf(areas),
  })
  return {
    areas,
    wake() {
      runner.wake()
      relay.wake()
    },
    async idle() {
      // In this order: jobs cause events, and events cause no jobs.
      await runner.idle()
      await relay.idle()
    },
    async stop() {
      // In parallel: each may take seconds, and the process has not many more.
      await Promise.all([runner.stop(), relay.stop()])
      platform.messenger.close()
    },
  }
}
