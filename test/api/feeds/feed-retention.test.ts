import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFeedSweep } from '../../../src/areas/feeds/retention.ts'
import { insertIssues } from '../../../src/areas/feeds/store/issue-store.ts'
import { ManualClock } from '../../../src/index.ts'
import type { Database } from '../../../src/platform/database/port.ts'
import type { DocumentStore } from '../../../src/platform/documents/port.ts'
import { DAY, DOCUMENTS, FEEDS, FeedsClient, LISTINGS, MINUTE, remove, rowsOf, update } from '../../support/feeds.ts'
import { startWatchedListings } from '../../support/listings.ts'
import { errorOf } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WatchedClock } from '../../support/watched-clock.ts'

const SWEEP_EVERY = 10 * MINUTE

async function start() {
  const documents = mkdtempSync(join(tmpdir(), 'souk-retention-'))
  onTestFinished(() => rmSync(documents, { recursive: true, force: true }))
  const clock = new WatchedClock('2026-06-01T12:00:00Z')
  const { souk, database } = await startWatchedListings({ clock, documents })
  const client = new FeedsClient(souk)
  await clock.untilAsleep(SWEEP_EVERY)
  return {
    clock,
    client,
    database,
    files: () => readdirSync(join(documents, 'feeds')).sort(),
    good: client.document([remove('NOBODY-HAS-THIS')]),
    bad: client.document([update('BAD', { item_name: [] })]),
  }
}

test('feeds are deleted after ninety days, with their documents, results and issues; newer feeds stay', async () => {
  const { clock, client, database, files, good, bad } = await start()
  const old = [await client.finished(good), await client.finished(bad), await client.finished('{')]
  expect((await rowsOf(database, 'feed_issues')).length).toBeGreaterThan(0)
  clock.advance(2 * DAY)
  const young = await client.finished(good)
  expect(files()).toHaveLength(8)

  await clock.untilAsleep(SWEEP_EVERY)
  clock.advance(89 * DAY)
  await waitFor(files, (names) => names.length === 2)
  expect(files()).toContain(young.resultFeedDocumentId)
  await waitFor(
    () => rowsOf(database, 'feeds'),
    (rows) => rows.length === 1,
  )
  expect(await rowsOf(database, 'feed_documents')).toHaveLength(1)
  expect(await rowsOf(database, 'feed_issues')).toEqual([])
  for (const { feedId, resultFeedDocumentId } of old) {
    expect(errorOf(await client.get(`${FEEDS}/${feedId}`)).status).toBe(404)
    expect(errorOf(await client.get(`${DOCUMENTS}/${resultFeedDocumentId}`)).status).toBe(400)
  }
  expect((await client.feeds(`feedTypes=${LISTINGS}`)).feeds).toEqual([young])
  await client.documentUrl(young.resultFeedDocumentId)
})

test('documents not used by any feed are deleted after two days, uploaded or not', async () => {
  const { clock, client, database, files, good } = await start()
  const { feedDocumentId: neverUploaded } = await client.createdDocument()
  const neverUsed = await client.uploaded(good)
  const used = await client.finished(good)
  clock.advance(DAY)
  const young = await client.uploaded(good)
  expect(files()).toHaveLength(4)

  await clock.untilAsleep(SWEEP_EVERY)
  clock.advance(DAY + SWEEP_EVERY)
  await waitFor(
    () => rowsOf(database, 'feed_documents'),
    (rows) => rows.length === 2,
  )
  expect(files()).toHaveLength(3)
  expect(files()).not.toContain(neverUsed)
  expect(files()).toContain(young)
  for (const inputFeedDocumentId of [neverUploaded, neverUsed]) {
    expect(errorOf(await client.createFeed({ inputFeedDocumentId })).status).toBe(400)
  }
  expect((await client.createFeed({ inputFeedDocumentId: young })).statusCode).toBe(202)
  await client.documentUrl(used.resultFeedDocumentId)
})

test('a feed with very many issues is deleted in small steps; an interrupted sweep continues later', async () => {
  const ISSUES = 2_500
  const { clock, client, database, good } = await start()
  const { feedId } = await client.finished(good)
  const { sellerId } = client
  const issues = Array.from({ length: ISSUES }, () => ({ code: '1', severity: 'ERROR', message: 'wrong' }) as const)
  await database.transact((tx) => insertIssues(tx, { sellerId, feedId }, 0, issues))
  const count = async (table: 'feeds' | 'feed_issues') => (await rowsOf(database, table)).length

  const steps: number[] = []
  const counting = {
    dialect: database.dialect,
    read: (work) => database.read(work),
    async transact(work) {
      const before = await count('feed_issues')
      const result = await database.transact(work)
      steps.push(before - (await count('feed_issues')))
      interruption.abort()
      return result
    },
  } as Database
  let interruption = new AbortController()
  // The sweep of the service runs later, because its clock does not move.
  const later = new ManualClock(new Date(clock.now().getTime() + 91 * DAY).toISOString())
  const sweep = (signal: AbortSignal) =>
    createFeedSweep({ delete: async () => {} } as unknown as DocumentStore).sweep(
      { database: counting, clock: later },
      signal,
    )

  expect(await sweep(interruption.signal)).toBe(0)
  expect(steps).toHaveLength(1)
  expect(steps[0]).toBeGreaterThan(0)
  expect(await count('feeds')).toBe(1)

  interruption = new AbortController()
  expect(await sweep(new AbortController().signal)).toBe(1)
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(ISSUES)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_000)
  expect([await count('feeds'), await count('feed_issues')]).toEqual([0, 0])
})
