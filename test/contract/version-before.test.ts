import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/platform/database/port.ts'
import { databaseKinds } from '../support/databases.ts'
import { createJobFixture, type JobFixture, recordName } from '../support/jobs.ts'

const NOW = '2026-06-01T12:00:00.000Z'
const LEASE_ENDS = '2026-06-01T12:00:30.000Z'

const insertJob = (id: string) =>
  `insert into jobs (job_id, kind, payload, run_at, attempts, lease) values ('${id}', 'note', '{"name":"${id}"}', '${NOW}', 0, null)`
const claimJobs = `update jobs set run_at = '${LEASE_ENDS}', lease = 'old', attempts = attempts + 1 where run_at <= '${NOW}'`
const returnJobs = `update jobs set run_at = '${NOW}', lease = null, attempts = 1 where lease = 'old'`

// The statements of version 0.1.0, before the migrations 0008 to 0011.
const writes = {
  'a patch of a listing': `insert into listing_submissions
    (seller_id, submission_id, sku, marketplace_ids, operation, status, submitted_at)
    values ('S1', 'submission', 'SKU', '[]', 'PATCH', 'ACCEPTED', '${NOW}')`,
  'an access token': `insert into access_tokens
    (token_digest, application_id, seller_id, scopes, restricted_to, expires_at)
    values ('digest', 'app', 'S1', '', null, '${NOW}')`,
  'an application': `insert into applications (application_id, name, client_id, client_secret_digest, signing_key_id)
    values ('app', 'App', 'client', 'digest', 'key')`,
  'the digest of the document of a feed': `update feeds set input_digest = 'digest' where feed_id = '1'`,
  'a job': insertJob('1'),
}

const execute = (database: Database, statement: string) => database.transactSchema((tx) => tx.execute(statement))

describe.each(Object.entries(databaseKinds))('next to processes of the previous version, on %s,', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  test.each(Object.entries(writes))('they can still write %s', async (_what, statement) => {
    await execute(workshop.database, statement)
  })

  test('a new worker runs a job that they enqueue or release', async () => {
    await execute(workshop.database, insertJob('theirs'))
    await workshop.enqueue({ kind: 'note', payload: { name: 'ours' } })
    await execute(workshop.database, claimJobs)
    await execute(workshop.database, returnJobs)
    await workshop.startRunner({ note: recordName }).idle()
    expect((await workshop.effects()).sort()).toEqual(['ours', 'theirs'])
  })

  test('a job that they run stays claimed until its lease expires', async () => {
    await workshop.enqueue({ kind: 'note', payload: { name: 'ours' } })
    await execute(workshop.database, claimJobs)
    const runner = workshop.startRunner({ note: recordName })
    await runner.idle()
    expect(await workshop.effects()).toEqual([])
    await workshop.clock.advance(30_000)
    await runner.idle()
    expect(await workshop.effects()).toEqual(['ours'])
  })
})
