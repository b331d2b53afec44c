import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createReportSweep } from '../../../src/areas/reports/retention.ts'
import { ManualClock } from '../../../src/index.ts'
import type { DocumentStore } from '../../../src/platform/documents/port.ts'
import { testDialect } from '../../support/databases.ts'
import { DAY, DOCUMENTS, MINUTE, NOTHING_HAPPENED, REPORTS, RETURNS, ReportsClient } from '../../support/reports.ts'
import { errorOf, startTestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WatchedClock } from '../../support/watched-clock.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const SWEEP_EVERY = 10 * MINUTE

test('reports and their documents are deleted after ninety days', async () => {
  const documents = mkdtempSync(join(tmpdir(), 'souk-retention-'))
  onTestFinished(() => rmSync(documents, { recursive: true, force: true }))
  const clock = new WatchedClock('2026-06-01T12:00:00Z')
  const souk = await startTestSouk({ clock, documents })
  const client = new ReportsClient(souk)
  const files = () => readdirSync(join(documents, 'reports')).sort()

  const old = [await client.finished(), await client.finished()]
  await client.finished(NOTHING_HAPPENED)
  clock.advance(2 * DAY)
  const young = await client.finished({ dataStartTime: '2026-05-01' })
  expect(files()).toEqual([...old, young].map(({ reportDocumentId }) => reportDocumentId).sort())

  await clock.untilAsleep(SWEEP_EVERY)
  clock.advance(89 * DAY)
  await waitFor(files, (names) => names.length === 1)
  expect(files()).toEqual([young.reportDocumentId])
  for (const { reportId, reportDocumentId } of old) {
    expect(errorOf(await client.get(`${REPORTS}/${reportId}`)).status).toBe(404)
    expect(errorOf(await client.get(`${DOCUMENTS}/${reportDocumentId}`)).status).toBe(400)
  }
  const { reports } = await client.reports(`reportTypes=${RETURNS}`)
  expect(reports).toEqual([young])
  await client.documentUrl(young.reportDocumentId)
})

test.skipIf(testDialect === 'postgres')(
  'a sweep that runs while a snapshot is restored deletes nothing of it',
  async () => {
    const documents = mkdtempSync(join(tmpdir(), 'souk-retention-'))
    onTestFinished(() => rmSync(documents, { recursive: true, force: true }))
    const clock = new WatchedClock('2026-06-01T12:00:00Z')
    const souk = await startTestSouk({ clock, documents })
    const client = new ReportsClient(souk)
    const reports = [await client.finished(), await client.finished(), await client.finished()]
    await souk.snapshot('with-reports')
    await clock.untilAsleep(SWEEP_EVERY)
    clock.advance(91 * DAY)
    await souk.restore('with-reports')
    await clock.untilAsleep(SWEEP_EVERY)
    expect(readdirSync(join(documents, 'reports'))).toHaveLength(reports.length)
    for (const { reportDocumentId } of reports) await client.documentUrl(reportDocumentId)
  },
)

test('a document that cannot be deleted does not block the others, and is deleted by a later sweep', async () => {
  const { souk, database } = await startWatchedSouk()
  const client = new ReportsClient(souk)
  const keys: string[] = []
  for (let count = 0; count < 3; count++) {
    const { reportDocumentId } = await client.finished()
    keys.push(`reports/${reportDocumentId}`)
    souk.clock.advance(1)
  }
  const later = new ManualClock(new Date(souk.clock.now().getTime() + 91 * DAY))
  const deleted: string[] = []
  let locked = keys[0]
  // S3 can lock single objects. A folder cannot, hence this fake.
  const documents = {
    async delete(key: string) {
      if (key === locked) throw new Error('The object is locked')
      deleted.push(key)
    },
  } as DocumentStore
  const sweep = () => createReportSweep(documents).sweep({ database, clock: later }, new AbortController().signal)
  await expect(sweep()).rejects.toThrow('The object is locked')
  expect(deleted).toEqual(keys.slice(1))
  locked = ''
  expect(await sweep()).toBe(1)
  expect(deleted).toEqual([...keys.slice(1), keys[0]])
})

test('getReportDocument returns a document exactly as long as getReport returns its report', async () => {
  const souk = await startTestSouk()
  const client = new ReportsClient(souk)
  const { reportDocumentId } = await client.finished()
  souk.clock.advance(90 * DAY)
  await client.documentUrl(reportDocumentId)
  souk.clock.advance(1)
  expect(errorOf(await client.get(`${DOCUMENTS}/${reportDocumentId}`))).toMatchObject({
    status: 400,
    message: expect.stringContaining('reportDocumentId'),
  })
})
