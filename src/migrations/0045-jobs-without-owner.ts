import type { Migration } from '../platform/database/migrate.ts'

/** A claim finds the oldest job without an owner, also behind 100,000 due jobs of one seller. */
export const jobsWithoutOwner: Migration = {
  name: '0045-jobs-without-owner',
  indexes: [{ name: 'jobs_without_owner', on: 'jobs (run_at, job_id) where owner is null' }],
}
