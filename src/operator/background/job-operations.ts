import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { deleteGivenUp, findGivenUp, type GivenUpJob, listGivenUp } from '../../platform/jobs/given-up-store.ts'
import { deleteWaiting, findQueued, listQueued, type QueuedJob, runJobNow } from '../../platform/jobs/job-list.ts'
import type { JobHandlers } from '../../platform/jobs/port.ts'
import { insertKeyedJob } from '../../platform/jobs/store.ts'
import { type PageQuery, type PageRequest, readPage } from '../../platform/paging.ts'
import { parseStoredObject, renderStoredObject } from '../../platform/stored-json.ts'

export const JOB_STATES = ['WAITING', 'RUNNING', 'GIVEN_UP'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface JobDependencies {
  database: Database
  clock: Clock
  wakeWorker(): void
  handlers: JobHandlers
}

interface JobFilter {
  state: JobState
  kind?: string | undefined
}

export type JobOperations = ReturnType<typeof createJobOperations>

const PAGE_KEY_PARTS = 2

/** Lists background jobs, retries and discards those that were given up, and cancels those that wait. */
export function createJobOperations({ database, clock, wakeWorker, handlers }: JobDependencies) {
  return {
    async listJobs({ state, kind, ...query }: PageQuery & JobFilter) {
      const readItems = (page: PageRequest) => readJobs({ state, kind }, page)
      const { items, ...next } = await readPage(query, PAGE_KEY_PARTS, readItems, keyOf)
      return { jobs: items, ...next }
    },

    /** Runs a job now: one that was given up, or one that is waiting. */
    async retryJob({ jobId }: { jobId: string }): Promise<object> {
      await database.transact(async (tx) => {
        const givenUp = await findGivenUp(tx, jobId)
        if (givenUp) return requeue(tx, givenUp)
        const { isRunning } = await requireQueued(tx, jobId)
        if (isRunning) throw new ApiError('Conflict', 'The job is running.', 'Wait until it finishes.')
        await runJobNow(tx, jobId, clock.now())
      })
      wakeWorker()
      return {}
    },

    /** Deletes a job that was given up, or cancels one that waits, with its report or feed. */
    async discardJob({ jobId }: { jobId: string }): Promise<void> {
      await database.transact(async (tx) => {
        if (await deleteGivenUp(tx, jobId)) return
        await cancelWaiting(tx, await requireQueued(tx, jobId))
      })
      // The next feed of the seller may wait for this one.
      wakeWorker()
    },
  }

  function readJobs({ state, kind }: JobFilter, page: PageRequest) {
    return database.read(async (reader) =>
      state === 'GIVEN_UP'
        ? (await listGivenUp(reader, { ...page, kind })).map(renderGivenUpJob)
        : (await listQueued(reader, { ...page, kind, isRunning: state === 'RUNNING' })).map(renderQueuedJob),
    )
  }

  async function cancelWaiting(tx: Transaction, { id, kind, payload }: QueuedJob): Promise<void> {
    const handler = handlers[kind]
    if (!handler?.cancel) {
      const details = 'Its listing or schedule depends on it. Delete that instead.'
      throw new ApiError('Conflict', `A job of the kind ${kind} cannot be cancelled.`, details)
    }
    if (!(await deleteWaiting(tx, id))) throw new ApiError('Conflict', 'The job is running.', 'Wait until it finishes.')
    const subject = parseStoredObject(payload)
    // Otherwise its report or feed is unknown.
    if (subject) await handler.cancel(tx, subject)
  }

  async function requeue(tx: Transaction, { id, kind, payload }: GivenUpJob): Promise<void> {
    const subject = parseStoredObject(payload)
    if (!subject) {
      throw new ApiError('Conflict', 'The job cannot be retried.', 'Its payload cannot be parsed. Discard the job.')
    }
    const action = (await handlers[kind]?.reset?.(tx, subject)) ?? 'enqueue'
    if (action === 'obsolete') {
      const details = 'Its report or feed was removed or has finished. Discard the job.'
      throw new ApiError('Conflict', 'The job cannot be retried.', details)
    }
    await deleteGivenUp(tx, id)
    if (action === 'enqueue') await insertKeyedJob(tx, { id, kind, payload: subject, runAt: clock.now() })
  }
}

async function requireQueued(tx: Transaction, jobId: string): Promise<QueuedJob> {
  const job = await findQueued(tx, jobId)
  if (!job) throw new ApiError('NotFound', 'The job was not found.')
  return job
}

const renderQueuedJob = ({ id, payload, runAt, isRunning, outageBeganAt, ...rest }: QueuedJob) => ({
  jobId: id,
  state: isRunning ? ('RUNNING' as const) : ('WAITING' as const),
  ...rest,
  runAt: runAt.toISOString(),
  ...(outageBeganAt && { outageBeganAt: outageBeganAt.toISOString() }),
  payload: renderStoredObject(payload),
})

const renderGivenUpJob = ({ id, payload, givenUpAt, ...rest }: GivenUpJob) => ({
  jobId: id,
  state: 'GIVEN_UP' as const,
  ...rest,
  givenUpAt: givenUpAt.toISOString(),
  payload: renderStoredObject(payload),
})

const keyOf = (job: { jobId: string } & ({ runAt: string } | { givenUpAt: string })) => [
  'runAt' in job ? job.runAt : job.givenUpAt,
  job.jobId,
]
