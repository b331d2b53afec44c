import type { WorkerOptions } from '../config/config.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import type { Background } from './background.ts'
import { startJobRunner, type WorkerPlatform } from './job-runner.ts'
import { startRelay } from './relay.ts'

/** All background work, in this thread: jobs, and telling of what happens. */
export function startBackground(platform: WorkerPlatform, options: WorkerOptions, expanders?: Expanders): Background {
  const relay = startRelay(platform, options, expanders)
  // What a job tells of is told at once.
  const runner = startJobRunner(platform, options, () => relay.wake())
  return {
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
      // Side by side: each has a few seconds, and the process has not many more.
      await Promise.all([runner.stop(), relay.stop()])
      platform.messenger.close()
    },
  }
}
