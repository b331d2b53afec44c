import { Type } from 'typebox'
import type { App, Routes } from '../../http/route.ts'
import { DateTime } from '../../marketplace/schema.ts'
import { GIVE_UP_REASONS } from '../../platform/jobs/retry-policy.ts'
import { JOB_STATES, type JobOperations, type JobState } from './job-operations.ts'
import { addQueueRoutes } from './queue-routes.ts'

const JobParams = Type.Object({ jobId: Type.String() })

const JobViewSchema = Type.Object({
  jobId: Type.String(),
  kind: Type.String({ description: 'processReport, fireReportSchedule, processFeed or processListing' }),
  state: Type.Enum(JOB_STATES, {
    description: 'WAITING: runs at runAt. RUNNING: claimed by a worker. GIVEN_UP: not retried automatically.',
  }),
  payload: Type.Object({}, { description: 'Arguments of the job' }),
  failures: Type.Integer({ description: 'Failures since the job last made progress' }),
  crashes: Type.Integer({ description: 'Worker crashes since the job last made progress' }),
  outageRetries: Type.Integer({ description: 'Retries caused by an unavailable dependency' }),
  outageBeganAt: Type.Optional(DateTime),
  runAt: Type.Optional(DateTime),
  lastError: Type.Optional(Type.String()),
  reason: Type.Optional(Type.Enum(GIVE_UP_REASONS, { description: 'Why the job was given up' })),
  givenUpAt: Type.Optional(DateTime),
})

export function createJobRoutes(operations: JobOperations): Routes {
  return (app: App) =>
    addQueueRoutes<{ jobId: string }, JobState>(app, {
      plural: 'jobs',
      names: { one: 'Job', many: 'Jobs' },
      summaries: {
        list: 'List background jobs by state',
        retry: 'Retry a job',
        discard: 'Discard a job that was given up, or cancel one that waits',
      },
      states: JOB_STATES,
      filters: { kind: Type.Optional(Type.String({ maxLength: 100, description: 'Default: all' })) },
      key: JobParams,
      viewSchema: JobViewSchema,
      retryResult: Type.Object({}),
      list: operations.listJobs,
      retry: operations.retryJob,
      discard: operations.discardJob,
    })
}
