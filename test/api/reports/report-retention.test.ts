import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DAY, DOCUMENTS, MINUTE, NOTHING_HAPPENED, REPORTS, RETURNS, ReportsClient } from '../../support/reports.ts'
import { errorOf, startTestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WatchedClock } from '../../support/watched-clock.ts'

const SWEEP_EVERY = 10 * MINUTE

test('reports and their documents are removed after ninety days; younger ones stay', async () => {
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
  await client.address(young.reportDocumentId)
})

test('a document can be fetched for as long as its report can be seen, and not a moment longer', async () => {
  const souk = await startTestSouk()
  const client = new ReportsClient(souk)
  const { reportDocumentId } = await client.finished()
  souk.clock.advance(90 * DAY)
  await client.address(reportDocumentId)
  souk.clock.advance(1)
  expect(errorOf(await client.get(`${DOCUMENTS}/${reportDocumentId}`))).toMatchObject({
    status: 400,
    message: expect.stringContaining('reportDocumentId'),
  })
})
