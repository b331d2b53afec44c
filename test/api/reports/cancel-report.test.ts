import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { beginProcessing, NOTHING_HAPPENED, REPORTS, RETURNS, ReportsClient, reportIn } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const DELAY = 7_000

let clock: ManualClock
/** Keeps reports in each state until the clock is moved. */
let slow: ReportsClient
/** Generates reports without a delay. */
let souk: TestSouk
let fast: ReportsClient

beforeAll(async () => {
  clock = new ManualClock('2026-06-01T12:00:00Z')
  slow = new ReportsClient(await startTestSouk({ clock, delay: DELAY }))
  souk = await startTestSouk()
  fast = new ReportsClient(souk)
})

const cancel = (client: ReportsClient, reportId: string) => client.delete(`${REPORTS}/${reportId}`)
const tooLate = (status: string) => ({
  status: 400,
  code: 'InvalidInput',
  details: expect.stringContaining(status),
})

describe('cancelReport', () => {
  test('cancels a queued report, which stays in the list and is never processed', async () => {
    const reportId = await slow.created()
    const queued = await slow.report(reportId)
    const response = await cancel(slow, reportId)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({})
    const cancelled = { ...queued, processingStatus: 'CANCELLED' }
    expect(await slow.report(reportId)).toEqual(cancelled)

    clock.advance(DELAY)
    await slow.souk.idle()
    expect(await slow.report(reportId)).toEqual(cancelled)
    const { reports } = await slow.reports(`reportTypes=${RETURNS}&processingStatuses=CANCELLED`)
    expect(reports).toContainEqual(cancelled)
  })

  test('refuses with 400 once processing has started, and the report is finished', async () => {
    const reportId = await slow.created()
    const started = await beginProcessing(slow, clock, reportId, DELAY)
    expect(errorOf(await cancel(slow, reportId))).toMatchObject(tooLate('IN_PROGRESS'))
    expect(await slow.report(reportId)).toEqual(started)
    clock.advance(DELAY)
    await reportIn(slow, reportId, 'DONE')
  })

  test.each<[string, () => Promise<string>]>([
    ['DONE', async () => (await fast.finished()).reportId],
    ['CANCELLED', async () => (await fast.finished(NOTHING_HAPPENED)).reportId],
  ])('refuses with 400 when the report is %s, and leaves it untouched', async (status, make) => {
    const reportId = await make()
    const before = await fast.report(reportId)
    expect(before.processingStatus).toBe(status)
    expect(errorOf(await cancel(fast, reportId))).toMatchObject(tooLate(status))
    expect(await fast.report(reportId)).toEqual(before)
  })

  test('cancels once: the second of two concurrent requests is refused because the report is CANCELLED', async () => {
    const reportId = await slow.created()
    const responses = await Promise.all([cancel(slow, reportId), cancel(slow, reportId)])
    expect(responses.map((response) => response.statusCode).sort()).toEqual([200, 400])
    expect(errorOf(await cancel(slow, reportId))).toMatchObject(tooLate('CANCELLED'))
  })

  test("returns 404 for an unknown report and for another seller's report, which does not change", async () => {
    const other = new ReportsClient(slow.souk, slow.souk.demo.otherSeller.refreshToken)
    const reportId = await slow.created()
    const queued = await slow.report(reportId)
    expect(errorOf(await cancel(other, reportId))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(errorOf(await cancel(slow, '123456789012'))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(await slow.report(reportId)).toEqual(queued)
  })

  test('and processing exclude each other: each of twenty reports is either cancelled or processed', async () => {
    const clock = new ManualClock('2026-06-01T12:00:00Z')
    const client = new ReportsClient(await startTestSouk({ clock, delay: DELAY }))
    const reportIds = await Promise.all(Array.from({ length: 20 }, () => client.created()))
    await client.souk.idle()
    clock.advance(DELAY)
    // In waves, so that the later requests find reports in progress.
    const responses: LightMyRequestResponse[] = []
    for (let from = 0; from < 20; from += 4) {
      responses.push(
        ...(await Promise.all(reportIds.slice(from, from + 4).map((reportId) => cancel(client, reportId)))),
      )
    }

    const started = reportIds.filter((_, index) => responses[index]?.statusCode === 400)
    const cancelled = reportIds.filter((_, index) => responses[index]?.statusCode === 200)
    expect(started.length + cancelled.length).toBe(20)
    for (const reportId of cancelled) {
      const report = await client.report(reportId)
      expect(report).toMatchObject({ processingStatus: 'CANCELLED' })
      expect(report).not.toHaveProperty('processingStartTime')
    }
    await client.souk.idle()
    clock.advance(DELAY)
    for (const reportId of started) await reportIn(client, reportId, 'DONE')
  })
})
