import { beforeAll, describe, expect, test } from 'vitest'
import { DAY, DE, REPORTS, RETURNS, ReportsClient, US } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: ReportsClient
let other: ReportsClient

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
})

describe('getReport', () => {
  test('returns the request in its order, and times in seconds with an offset', async () => {
    const asked = {
      reportType: RETURNS,
      marketplaceIds: [US, DE],
      dataStartTime: '2026-05-01T02:00:00.789+02:00',
      dataEndTime: '2026-05-20',
    }
    const report = await client.finished(asked)
    expect(report).toEqual({
      reportId: expect.stringMatching(/^\d{11,12}$/),
      reportType: RETURNS,
      marketplaceIds: [US, DE],
      processingStatus: 'DONE',
      createdTime: '2026-06-01T12:00:00+00:00',
      dataStartTime: '2026-05-01T00:00:00+00:00',
      dataEndTime: '2026-05-20T00:00:00+00:00',
      processingStartTime: '2026-06-01T12:00:00+00:00',
      processingEndTime: '2026-06-01T12:00:00+00:00',
      reportDocumentId: expect.any(String),
    })
  })

  test.each(['1', '123456789012', 'badReportId1', "'", '%25', '%F0%9F%98%80', '-1', '1.5'])(
    'returns 404 for the unknown report %s',
    async (reportId) => {
      expect(errorOf(await client.get(`${REPORTS}/${reportId}`))).toMatchObject({ status: 404, code: 'NotFound' })
    },
  )

  test("returns 404 for another seller's report, as for an unknown one", async () => {
    const reportId = await client.created()
    const theirs = errorOf(await other.get(`${REPORTS}/${reportId}`))
    const unknown = errorOf(await other.get(`${REPORTS}/123456789012`))
    expect(theirs.status).toBe(404)
    expect({ ...theirs, details: theirs.details?.replace(reportId, '') }).toEqual({
      ...unknown,
      details: unknown.details?.replace('123456789012', ''),
    })
  })

  test('returns a report for ninety days, then 404', async () => {
    const { reportId } = await client.finished()
    souk.clock.advance(90 * DAY)
    expect((await client.report(reportId)).processingStatus).toBe('DONE')
    souk.clock.advance(1)
    expect(errorOf(await client.get(`${REPORTS}/${reportId}`))).toMatchObject({ status: 404, code: 'NotFound' })
  })
})
