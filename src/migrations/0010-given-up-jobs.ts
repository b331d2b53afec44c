import type { Migration } from '../platform/database/migrate.ts'

/** Failures of a job are counted by cause, and jobs that were given up stay visible. */
export const givenUpJobs: Migration = {
  name: '0010-given-up-jobs',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // The column `attempts` stays for one release, because processes of the previous version use it and may run next to
      // newer ones during a deployment. It counts claims, whatever their result. Drop it in the next release.
      'alter table jobs add column failures bigint not null default 0',
      'alter table jobs add column crashes bigint not null default 0',
      'alter table jobs add column outage_retries bigint not null default 0',
      'alter table jobs add column outage_began_at text',
      'alter table jobs add column last_error text',

      `create table given_up_jobs (
        job_id text primary key,
        kind text not null,
        payload text not null,
        reason text not null,
        failures bigint not null,
        crashes bigint not null,
        outage_retries bigint not null,
        last_error text,
        given_up_at text not null
      ) ${clustered}`,
      'create index given_up_jobs_by_time on given_up_jobs (given_up_at, job_id)',
    ]
  },
}
