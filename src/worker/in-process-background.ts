import { Relay } from '../areas/notifications/index.ts'
import { type Area, expandersOf, jobsOf } from '../composition/area.ts'
import { createWorkerAreas } from '../composition/areas.ts'
import { createLife } from '../composition/life.ts'
import type { WorkerOptions } from '../config/config.ts'
import { type FaultRules, withJobFaults, withMessageFaults } from '../dev/faults/index.ts'
import { measureJobs } from '../platform/jobs/job-metrics.ts'
import { JobRunner } from '../platform/jobs/job-runner.ts'
import type { Metric } from '../platform/metrics/port.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'
import type { Tracer } from '../platform/tracing/port.ts'
import { traceJobs } from '../platform/tracing/traced-work.ts'
import type { Background, WorkerPlatform } from './background.ts'

export interface InProcessBackground extends Background {
  areas: readonly Area[]
  /** Of the jobs that ran here. */
  metrics: readonly Metric[]
}

const HOUR_MILLISECONDS = 60 * 60 * 1000

export interface BackgroundParts {
  /** Replaces the expanders of the areas, for tests. */
  expanders?: Expanders | undefined
  /** Whether to run the jobs that only the stand-in has. */
  isStandIn?: boolean
  /** Of the stand-in only. */
  faults?: FaultRules | undefined
  /** Omitted if jobs are not traced. */
  tracer?: Tracer | undefined
}

/** Runs jobs and sends notifications in this thread. */
export function startBackground(
  { messenger, ...rest }: WorkerPlatform,
  options: WorkerOptions,
  { expanders, isStandIn = false, faults, tracer }: BackgroundParts = {},
): InProcessBackground {
  const platform = { ...rest, messenger: faults ? withMessageFaults(messenger, faults, rest.clock) : messenger }
  const {
    concurrency,
    leaseSeconds,
    jobOutageHours,
    maxPendingNotifications,
    sentNotificationsKept,
    delayMilliseconds,
    settlingMilliseconds = 0,
  } = options
  // Notifications of a job are sent without waiting for the next poll.
  const wakeRelay = () => relay.wake()
  const outbox = createOutbox(platform.ids, wakeRelay)
  const dependencies = { ...platform, delayMilliseconds, settlingMilliseconds, wakeWorker: wakeRelay }
  const { all: areas } = createWorkerAreas({ ...dependencies, outbox })
  const relay = new Relay({
    ...platform,
    leaseSeconds,
    maxPending: maxPendingNotifications,
    sentKept: sentNotificationsKept,
    expanders: expanders ?? expandersOf(areas),
  })
  const { handlers, metrics } = measureJobs(jobsOf(areas))
  const jobs = tracer ? traceJobs(handlers, tracer) : handlers
  const runner = new JobRunner({
    ...platform,
    concurrency,
    leaseSeconds,
    outageLimitMilliseconds: jobOutageHours * HOUR_MILLISECONDS,
    handlers: {
      ...(faults ? withJobFaults(jobs, faults, platform.clock) : jobs),
      ...(isStandIn && createLife(dependencies)),
    },
  })
  return {
    areas,
    metrics: [...metrics, ...runner.metrics],
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
