import type { Migration } from '../platform/database/migrate.ts'

/** Owners of jobs take turns. Processes of the version before write none, and their jobs run in the order of time. */
export const jobOwners: Migration = {
  name: '0035-job-owners',
  statements: () => ['alter table jobs add column owner text'],
}

export const jobsByOwner: Migration = {
  name: '0036-jobs-by-owner',
  indexes: [{ name: 'jobs_by_owner', on: 'jobs (owner, run_at, job_id) where owner is not null' }],
}
