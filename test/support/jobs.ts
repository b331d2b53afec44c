import { migrateDatabase } from '../../src/composition/migrations.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database, Transaction, TransactionOptions } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { UnavailableError } from '../../src/platform/errors/unavailable-error.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { createJobQueue } from '../../src/platform/jobs/job-queue.ts'
import { JobRunner, type JobRunnerOptions } from '../../src/platform/jobs/job-runner.ts'
import type { JobHandler, NewJob } from '../../src/platform/jobs/port.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import type { OpenOptions } from './databases.ts'

export const LEASE_SECONDS = 30
export const OUTAGE_LIMIT = 24 * 60 * 60 * 1000

interface Tables {
  effects: { effect: string }
  jobs: { job_id: string; kind: string; run_at: string; failures: number; crashes: number; lease: string | null }
}
const db = queryBuilder<Tables>()

export type JobFixture = Awaited<ReturnType<typeof createJobFixture>>

/** A job whose effect is to write its name. */
export interface Named {
  name: string
}

type Open = (options?: OpenOptions) => Promise<{ database: Database; discard(): void }>

/** A database with a job queue, a table for effects, and runners that are stopped after the test. */
export async function createJobFixture(open: Open) {
  const { database, discard } = await open({ hasSchema: true })
  const clock = new ManualClock('2026-06-01T12:00:00.000Z')
  const ids = new SequentialIds()
  const logger = await createLogger({ level: 'silent', pretty: false })
  const queue = createJobQueue(ids)
  const runners: JobRunner[] = []
  await migrateDatabase(database, clock)
  await database.transactSchema((tx) => tx.execute('create table effects (effect text not null)'))

  return {
    database,
    clock,
    ids,
    queue,

    enqueue: (job: Partial<NewJob> & Pick<NewJob, 'kind'>) =>
      database.transact((tx) => queue.enqueue(tx, { payload: {}, runAt: clock.now(), ...job })),

    startRunner(handlers: JobRunnerOptions['handlers'], options: Partial<JobRunnerOptions> = {}): JobRunner {
      const limits = { concurrency: 1, leaseSeconds: LEASE_SECONDS, outageLimitMilliseconds: OUTAGE_LIMIT }
      const runner = new JobRunner({ database, clock, ids, logger, handlers, ...limits, ...options })
      runners.push(runner)
      return runner
    },

    /** Moves the clock step by step, and waits for the runner after each. */
    async pass(runner: JobRunner, milliseconds: number, step = milliseconds): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += step) {
        clock.advance(step)
        await runner.idle()
      }
    },

    effects: async () =>
      (await database.read((reader) => reader.all(db.selectFrom('effects').selectAll()))).map(({ effect }) => effect),

    jobs: () =>
      database.read((reader) =>
        reader.all(db.selectFrom('jobs').select(['job_id', 'run_at', 'failures', 'crashes', 'lease'])),
      ),

    async close() {
      await Promise.all(runners.map((runner) => runner.stop()))
      await database.close()
      discard()
    },
  }
}

export async function writeEffect(tx: Transaction, effect: string): Promise<void> {
  await tx.run(db.insertInto('effects').values({ effect }))
}

/** A handler that fails the test when it is given up, unless `giveUp` is passed. */
export function handler(
  run: JobHandler<Named>['run'],
  giveUp: JobHandler<Named>['giveUp'] = () => Promise.reject(new Error('given up')),
): JobHandler<Named> {
  return { run, giveUp }
}

/** What a job gets from a dependency that is unavailable. */
export const refused = () => Promise.reject(new UnavailableError('S3 is unavailable'))

export const recordName = handler(({ name }, { finish }) => finish((tx) => writeEffect(tx, name)))

/** A promise with its resolve function. */
export function deferred<Value = void>() {
  return Promise.withResolvers<Value>()
}

/** The database with its reads or transactions intercepted. */
export function intercept(
  database: Database,
  method: 'read' | 'transact',
  interruption: (work: () => Promise<unknown>) => Promise<unknown>,
): Database {
  return new Proxy(database, {
    get(target, name: keyof Database) {
      const value = target[name]
      if (typeof value !== 'function') return value
      if (name !== method) return value.bind(target)
      return (work: never, options?: TransactionOptions) => interruption(() => target[method](work, options))
    },
  })
}

/** The database with single reads or transactions made to fail. */
export function withFailures(database: Database, method: 'read' | 'transact') {
  let onFailure: (() => void) | undefined
  return {
    database: intercept(database, method, (work) => {
      if (!onFailure) return work()
      onFailure()
      onFailure = undefined
      return Promise.reject(new Error('The connection was lost'))
    }),
    /** Resolves when the failure has happened. */
    failNext(): Promise<void> {
      return new Promise((resolve) => {
        onFailure = resolve
      })
    },
  }
}
