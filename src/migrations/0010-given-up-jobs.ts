import type { Migration } from '../platform/database/migrate.ts'

/** What went wrong with a job is counted by its cause, and a job that was given up stays visible. */
export const givenUpJobs: Migration = {
  name: '0010-given-up-jobs',
  statements(dialect) {
    const clustered = dialect === 'sqlite' ? 'without rowid' : ''
    return [
      // The column `attempts` stays for one release: processes of the version before write and read it, and may run
      // beside newer ones during a deploy. It counts claims, whatever came of them. Drop it in the next release.
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
