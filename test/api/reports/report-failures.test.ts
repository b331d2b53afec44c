import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Feedback } from '../../../src/marketplace/trade/feedback.ts'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  DOCUMENTS,
  download,
  FEEDBACK,
  putOperatorData,
  REPORTS,
  ReportsClient,
  reportIn,
  SECOND,
} from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

// The backoff doubles with each attempt.
const BACKOFFS = [1, 2, 4, 8, 16].map((seconds) => seconds * SECOND)

let folder: string
let souk: TestSouk
let client: ReportsClient

// A file where the documents folder should be, so that nothing can be written.
const blockedPath = () => join(folder, 'blocked')
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'souk-failures-'))
  writeFileSync(blockedPath(), '')
  souk = await startTestSouk({ documents: join(blockedPath(), 'documents') })
  client = new ReportsClient(souk)
})
afterEach(async () => {
  await souk.idle()
  rmSync(folder, { recursive: true, force: true })
})

describe('a report whose document cannot be written', () => {
  test('is retried with exponential backoff, then FATAL: with times, without a document', async () => {
    const reportId = await client.created()
    for (const backoff of BACKOFFS) {
      await souk.idle()
      expect(await client.report(reportId)).toMatchObject({
        processingStatus: 'IN_PROGRESS',
        processingStartTime: '2026-06-01T12:00:00+00:00',
      })
      souk.clock.advance(backoff)
    }
    await souk.idle()
    const report = await client.report(reportId)
    expect(report).toMatchObject({
      processingStatus: 'FATAL',
      processingStartTime: '2026-06-01T12:00:00+00:00',
      processingEndTime: '2026-06-01T12:00:31+00:00',
    })
    expect(report).not.toHaveProperty('reportDocumentId')

    expect(errorOf(await client.delete(`${REPORTS}/${reportId}`))).toMatchObject({
      status: 400,
      details: expect.stringContaining('FATAL'),
    })
    souk.clock.advance(3600 * SECOND)
    await souk.idle()
    expect(await client.report(reportId)).toEqual(report)
  })

  test('is not retried before the backoff expires', async () => {
    const reportId = await client.created()
    await souk.idle()
    rmSync(blockedPath())
    souk.clock.advance(999)
    await souk.idle()
    expect(await client.report(reportId)).toMatchObject({ processingStatus: 'IN_PROGRESS' })
    souk.clock.advance(1)
    await reportIn(client, reportId, 'DONE')
  })

  test.each([1, 5])('is DONE and complete if the attempt after %i failures succeeds', async (failures) => {
    const reportId = await client.created()
    for (const backoff of BACKOFFS.slice(0, failures)) {
      await souk.idle()
      expect((await client.report(reportId)).processingStatus).toBe('IN_PROGRESS')
      if (backoff === BACKOFFS[failures - 1]) rmSync(blockedPath())
      souk.clock.advance(backoff)
    }
    await souk.idle()
    const report = await client.report(reportId)
    expect(report.processingStatus).toBe('DONE')
    const text = await download(await client.documentUrl(report.reportDocumentId))
    expect(text.match(/<return_details>/g)).toHaveLength(68)
    // The failed attempts leave no files behind.
    expect(readdirSync(join(blockedPath(), 'documents', 'reports'))).toEqual([report.reportDocumentId])
    expect(readdirSync(join(blockedPath(), 'documents', '.incoming'))).toEqual([])
  })

  test('does not delay other reports', async () => {
    const failing = await client.created()
    await souk.idle()
    const noData = await client.finished({ dataStartTime: '2020-01-01', dataEndTime: '2020-01-02' })
    expect(noData.processingStatus).toBe('CANCELLED')
    expect((await client.report(failing)).processingStatus).toBe('IN_PROGRESS')
  })

  test('is retried also if it is larger than the buffers of the streams', async () => {
    const seller = await addSeller(souk, 'A3LARGE')
    const orders = Array.from({ length: 100 }, (_, index) =>
      buildOrder(souk.clock.now(), { sellerId: 'A3LARGE', orderId: `900-0000000-${String(index).padStart(7, '0')}` }),
    )
    const feedback = orders.map(
      ({ sellerId, orderId }, index): Feedback => ({
        sellerId,
        orderId,
        submittedAt: '2026-05-20T10:00:00.000Z',
        rating: 5,
        comment: incompressible(index),
      }),
    )
    await putOperatorData(souk, { orders, feedback })
    const reportId = await seller.created({ reportType: FEEDBACK })
    await souk.idle()
    expect((await seller.report(reportId)).processingStatus).toBe('IN_PROGRESS')
    rmSync(blockedPath())
    souk.clock.advance(SECOND)
    await souk.idle()
    const report = await seller.report(reportId)
    expect(report.processingStatus).toBe('DONE')
    const response = await seller.get(`${DOCUMENTS}/${report.reportDocumentId}`)
    expect((await download(response.json().url)).split('\n')).toHaveLength(102)
  })
})

/** Text that does not compress well. The same seed gives the same text. */
function incompressible(seed: number): string {
  let state = seed + 1
  return Array.from({ length: 2000 }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(0x4e00 + (state % 20_000))
  }).join('')
}
