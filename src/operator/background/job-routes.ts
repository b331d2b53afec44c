import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { DateTime, strict } from '../../marketplace/schema.ts'
import { GIVE_UP_REASONS } from '../../platform/jobs/retry-policy.ts'
import { operatorConfig as config, operatorTags as tags } from '../resources/resource-routes.ts'
import { JOB_STATES, type JobOperations } from './job-operations.ts'

const JOBS = '/operator/v1/jobs'
const JOB = `${JOBS}/:jobId`
const DEFAULT_PAGE_SIZE = 100

const JobParams = Type.Object({ jobId: Type.String() })

const JobViewSchema = Type.Object({
  jobId: Type.String(),
  kind: Type.String({ description: 'processReport, fireReportSchedule, processFeed or processListing' }),
  state: Type.Enum(JOB_STATES, {
    description: 'WAITING: is run at its time. RUNNING: a worker runs it. GIVEN_UP: is not run again by itself.',
  }),
  payload: Type.Object({}, { description: 'What the job is for' }),
  failures: Type.Integer({ description: 'How often it has failed since it last got on' }),
  crashes: Type.Integer({ description: 'How often its worker has crashed since it last got on' }),
  outageRetries: Type.Integer({ description: 'How often it was put off because a dependency was unavailable' }),
  outageBeganAt: Type.Optional(DateTime),
  runAt: Type.Optional(DateTime),
  lastError: Type.Optional(Type.String()),
  reason: Type.Optional(Type.Enum(GIVE_UP_REASONS, { description: 'Why it was given up' })),
  givenUpAt: Type.Optional(DateTime),
})

export function createJobRoutes(operations: JobOperations): Routes {
  return (app: App) => {
    app.get(
      JOBS,
      {
        config,
        schema: {
          operationId: 'listJobs',
          summary: 'List background jobs by state, a page at a time',
          tags,
          querystring: Type.Object(
            {
              state: Type.Enum(JOB_STATES),
              pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
              pageToken: Type.Optional(Type.String({ maxLength: 1000 })),
            },
            strict,
          ),
          response: {
            200: Type.Object({ jobs: Type.Array(JobViewSchema), nextToken: Type.Optional(Type.String()) }),
            ...errorResponses,
          },
        },
      },
      async (request) => operations.listJobs({ pageSize: DEFAULT_PAGE_SIZE, ...request.query }),
    )

    app.post(
      `${JOB}/retry`,
      {
        config,
        schema: {
          operationId: 'retryJob',
          summary: 'Run a job again that was given up, or one that waits now',
          tags,
          params: JobParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.retryJob(request.params.jobId)
        return {}
      },
    )

    app.delete(
      JOB,
      {
        config,
        schema: {
          operationId: 'discardJob',
          summary: 'Discard a job that was given up',
          tags,
          params: JobParams,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request) => {
        await operations.discardJob(request.params.jobId)
        return {}
      },
    )
  }
}
