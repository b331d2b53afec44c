import { beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENTS, download, REPORTS, RETURNS_FLAT_FILE, SCHEDULES, SECOND, TO_SHIP, US } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'
import { sendRaw } from './raw-request.ts'

// A much used Python client names the marketplace in every way that some operation knows, in every request.
const IN_BODIES = { MarketplaceIds: [US] }
const IN_QUERIES = { MarketplaceId: US, MarketplaceIds: US, marketplace_ids: US, marketplaceIds: US }

describe('whatever extra headers and parameters a hand-written client sends,', () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk({ delay: SECOND })
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  /** The live service's host, a date, and a content type whether there is content or not. */
  function call(
    method: string,
    path: string,
    { query = {}, body }: { query?: Record<string, string>; body?: object } = {},
  ) {
    const headers = {
      host: 'sellingpartnerapi-na.amazon.com',
      'user-agent': 'python-requests/2.32.3',
      'accept-encoding': 'gzip, deflate',
      accept: '*/*',
      'x-amz-access-token': token,
      'x-amz-date': '20260601T120000Z',
      'content-type': 'application/json',
    }
    const search = new URLSearchParams(query).toString()
    return sendRaw(`${souk.url}${path}?${search}`, method, headers, body && JSON.stringify(body))
  }
  const get = (path: string, query: Record<string, string> = IN_QUERIES) => call('GET', path, { query })
  const cancel = (path: string) => call('DELETE', path, { query: IN_QUERIES })
  const post = (path: string, fields: object = {}) =>
    call('POST', path, { body: { reportType: RETURNS_FLAT_FILE, marketplaceIds: [US], ...IN_BODIES, ...fields } })

  test('a report is created and downloaded', async () => {
    // As isoformat() writes them.
    const times = { dataStartTime: '2026-05-01T00:00:00+00:00', dataEndTime: '2026-05-31T23:59:59.250000+00:00' }
    const created = await post(REPORTS, { ...times, reportOptions: {}, version: '2021-06-30' })
    expect(created.status).toBe(202)
    const lookLater = () => {
      souk.clock.advance(SECOND)
      return get(`${REPORTS}/${created.body.reportId}`)
    }
    const { body: report } = await waitFor(lookLater, ({ body }) => body.processingStatus === 'DONE')
    expect(report).toMatchObject({ marketplaceIds: [US], dataEndTime: '2026-05-31T23:59:59+00:00' })

    const { status, body } = await get(`${DOCUMENTS}/${report.reportDocumentId}`)
    expect(status).toBe(200)
    expect(await download(String(body.url))).toMatch(/^Order ID\t/)
  })

  test('reports are listed by comma-separated values, and the next page by the token alone', async () => {
    for (let count = 0; count < 3; count++) await post(REPORTS)
    const filter = {
      ...IN_QUERIES,
      reportTypes: `${RETURNS_FLAT_FILE},${TO_SHIP}`,
      createdSince: '2026-05-01T00:00:00+00:00',
    }
    const first = await get(REPORTS, { ...filter, pageSize: '2' })
    expect(first).toMatchObject({ status: 200, body: { reports: [{}, {}], nextToken: expect.any(String) } })
    const second = await get(REPORTS, { nextToken: String(first.body.nextToken) })
    expect(second).toMatchObject({ status: 200, body: { reports: expect.any(Array) } })
  })

  test('a report is cancelled by a request with a content type but without a body', async () => {
    const { body } = await post(REPORTS)
    expect(await cancel(`${REPORTS}/${body.reportId}`)).toMatchObject({ status: 200, body: {} })
    expect((await get(`${REPORTS}/${body.reportId}`)).body).toMatchObject({ processingStatus: 'CANCELLED' })
  })

  test('a schedule is created, read, listed and cancelled', async () => {
    const { status, body } = await post(SCHEDULES, {
      period: 'P1D',
      nextReportCreationTime: '2026-07-01T00:00:00+00:00',
    })
    expect(status).toBe(201)
    const path = `${SCHEDULES}/${body.reportScheduleId}`
    expect(await get(path)).toMatchObject({ status: 200, body: { period: 'P1D', marketplaceIds: [US] } })
    const listed = await get(SCHEDULES, { ...IN_QUERIES, reportTypes: RETURNS_FLAT_FILE })
    expect(listed.body).toMatchObject({ reportSchedules: [{ reportScheduleId: body.reportScheduleId }] })
    expect(await cancel(path)).toMatchObject({ status: 200 })
    expect(await get(path)).toMatchObject({ status: 404 })
  })
})
