import type { Migration } from '../platform/database/migrate.ts'

/** The few jobs that run, and the few that failed or were postponed, are found without reading those that wait. */
export const runningJobs: Migration = {
  name: '0040-running-jobs',
  indexes: [
    { name: 'jobs_running', on: 'jobs (run_at, job_id) where lease is not null' },
    // Not by the text of the error, which can be longer than an entry of an index.
    { name: 'jobs_with_error', on: 'jobs (job_id) where last_error is not null' },
  ],
}
