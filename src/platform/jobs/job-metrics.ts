import type { Clock } from '../clock/port.ts'
import type { Database } from '../database/port.ts'
import { cacheReads } from '../metrics/cached.ts'
import { ageInSeconds, createGauge } from '../metrics/gauge.ts'
import type { Metric, Sample } from '../metrics/port.ts'
import { TimedCalls } from '../metrics/timed.ts'
import { countGivenUp } from './given-up-store.ts'
import { countQueued, countQueuedByKind, MAX_COUNTED, type QueuedKind } from './job-list.ts'
import { type JobHandlers, PostponedError } from './port.ts'

/** Gauges of background jobs. Each counts to 10,000 at most. */
export function createJobGauges({ database, clock }: { database: Database; clock: Clock }): Metric[] {
  const queued = cacheReads(() => database.read(countQueued), 0)
  const kinds = cacheReads(() => database.read((reader) => countQueuedByKind(reader)), 0)
  const byKind = (name: string, help: string, measure: (kind: QueuedKind) => number): Metric => ({
    name,
    help,
    type: 'gauge',
    read: async () => (await kinds()).map((one): Sample => ({ labels: { kind: one.kind }, value: measure(one) })),
  })
  return [
    createGauge('souk_jobs_queued', 'Background jobs waiting or running', async () => (await queued()).all),
    createGauge('souk_jobs_in_outage', 'Background jobs retried because a dependency was unavailable', async () => {
      return (await queued()).inOutage
    }),
    createGauge('souk_jobs_given_up', 'Background jobs given up and not discarded', () =>
      database.read((reader) => countGivenUp(reader, MAX_COUNTED)),
    ),
    byKind('souk_jobs_of_kind', 'Background jobs waiting or running, by kind', ({ count }) => count),
    byKind('souk_job_delay_seconds', 'How long the oldest job that is due has waited, by kind', ({ firstDueAt }) =>
      ageInSeconds(clock, firstDueAt),
    ),
  ]
}

/** Of the kinds that this worker handles. */
export const createSuspensionGauge = (kinds: readonly string[], isSuspended: (kind: string) => boolean): Metric => ({
  name: 'souk_jobs_suspended',
  help: 'Whether only single jobs of the kind are tried, because a dependency is unavailable',
  type: 'gauge',
  across: 'max',
  read: () => kinds.map((kind) => ({ labels: { kind }, value: Number(isSuspended(kind)) })),
})

/** The same handlers, with the time that each run takes. A postponed job has not failed. */
export function measureJobs(handlers: JobHandlers): { handlers: JobHandlers; metrics: readonly Metric[] } {
  const help = 'Time that runs of background jobs took, by kind and result'
  const runs = new TimedCalls('souk_job_duration_seconds', help, 'kind')
  const measured = Object.entries(handlers).map(([kind, handler]) => {
    const run: typeof handler.run = async (payload, context) => {
      const postponed = await runs.run(kind, async () => {
        try {
          await handler.run(payload, context)
        } catch (error) {
          if (error instanceof PostponedError) return error
          throw error
        }
      })
      if (postponed) throw postponed
    }
    return [kind, { ...handler, run }] as const
  })
  return { handlers: Object.fromEntries(measured), metrics: [runs.metric] }
}
