import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import {
  countGivenUp,
  deleteGivenUp,
  findGivenUp,
  type GivenUpJob,
  listGivenUp,
} from '../../platform/jobs/given-up-store.ts'
import {
  countQueued,
  findQueued,
  listQueued,
  MAX_COUNTED,
  type QueuedJob,
  runJobNow,
} from '../../platform/jobs/job-list.ts'
import type { JobHandlers } from '../../platform/jobs/port.ts'
import { insertKeyedJob } from '../../platform/jobs/store.ts'
import { decodePageToken, toPage } from '../../platform/paging.ts'

export const JOB_STATES = ['WAITING', 'RUNNING', 'GIVEN_UP'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface JobDependencies {
  database: Database
  clock: Clock
  wakeWorker(): void
  handlers: JobHandlers
}

export type JobOperations = ReturnType<typeof createJobOperations>

const PAGE_KEY_PARTS = 2

/** What an operator can see of background jobs, and do about those that were given up. */
export function createJobOperations({ database, clock, wakeWorker, handlers }: JobDependencies) {
  return {
    async listJobs({ state, pageSize, pageToken }: { state: JobState; pageSize: number; pageToken?: string }) {
      const after = pageToken === undefined ? undefined : decodePageToken(pageToken, PAGE_KEY_PARTS)
      const page = { limit: pageSize + 1, ...(after && { after }) }
      const { items, nextToken } = await database.read(async (reader) =>
        state === 'GIVEN_UP'
          ? toPage((await listGivenUp(reader, page)).map(renderGivenUpJob), pageSize, keyOf)
          : toPage(
              (await listQueued(reader, { ...page, isRunning: state === 'RUNNING' })).map(renderQueuedJob),
              pageSize,
              keyOf,
            ),
      )
      return { jobs: items, ...(nextToken !== undefined && { nextToken }) }
    },

    /** Runs a job that was given up again, or one that waits now. */
    async retryJob(jobId: string): Promise<void> {
      await database.transact(async (tx) => {
        const givenUp = await findGivenUp(tx, jobId)
        if (givenUp) return requeue(tx, givenUp)
        const { isRunning } = await requireQueued(tx, jobId)
        if (isRunning) throw new ApiError('Conflict', 'The job is running.', 'Wait for what becomes of it.')
        await runJobNow(tx, jobId, clock.now())
      })
      wakeWorker()
    },

    async discardJob(jobId: string): Promise<void> {
      await database.transact(async (tx) => {
        if (await deleteGivenUp(tx, jobId)) return
        await requireQueued(tx, jobId)
        throw new ApiError('Conflict', 'The job is not given up.', 'Only a job that was given up can be discarded.')
      })
    },
  }

  async function requeue(tx: Transaction, { id, kind, payload }: GivenUpJob): Promise<void> {
    const subject = JSON.parse(payload)
    const action = (await handlers[kind]?.reset?.(tx, subject)) ?? 'enqueue'
    if (action === 'obsolete') {
      const details = 'What it was for is gone, or has come to another end. Discard the job.'
      throw new ApiError('Conflict', 'The job cannot be run again.', details)
    }
    await deleteGivenUp(tx, id)
    if (action === 'enqueue') await insertKeyedJob(tx, { id, kind, payload: subject, runAt: clock.now() })
  }
}

async function requireQueued(tx: Transaction, jobId: string): Promise<QueuedJob> {
  const job = await findQueued(tx, jobId)
  if (!job) throw new ApiError('NotFound', 'There is no such job.')
  return job
}

const renderQueuedJob = ({ id, payload, runAt, isRunning, outageBeganAt, ...rest }: QueuedJob) => ({
  jobId: id,
  state: isRunning ? ('RUNNING' as const) : ('WAITING' as const),
  ...rest,
  runAt: runAt.toISOString(),
  ...(outageBeganAt && { outageBeganAt: outageBeganAt.toISOString() }),
  payload: JSON.parse(payload) as object,
})

const renderGivenUpJob = ({ id, payload, givenUpAt, ...rest }: GivenUpJob) => ({
  jobId: id,
  state: 'GIVEN_UP' as const,
  ...rest,
  givenUpAt: givenUpAt.toISOString(),
  payload: JSON.parse(payload) as object,
})

const keyOf = (shown: { jobId: string } & ({ runAt: string } | { givenUpAt: string })) => [
  'runAt' in shown ? shown.runAt : shown.givenUpAt,
  shown.jobId,
]

/** What `/metrics` shows of background jobs, each counted up to 10,000. */
export const createJobGauges = (database: Database) => [
  {
    name: 'souk_jobs_queued',
    help: 'Background jobs that wait or run',
    read: async () => (await database.read(countQueued)).all,
  },
  {
    name: 'souk_jobs_in_outage',
    help: 'Background jobs that are retried because a dependency was unavailable',
    read: async () => (await database.read(countQueued)).inOutage,
  },
  {
    name: 'souk_jobs_given_up',
    help: 'Background jobs that were given up and not discarded',
    read: () => database.read((reader) => countGivenUp(reader, MAX_COUNTED)),
  },
]
