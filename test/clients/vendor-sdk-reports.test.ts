import { createRequire } from 'node:module'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as ReportsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/reports_v2021_06_30/index.js'
import * as TokensSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/tokens_v2021_03_01/index.js'
import { DAY, DOCUMENTS, download, RETURNS_FLAT_FILE, ReportsClient, SECOND, TO_SHIP, US } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'

// The SDK's types leave out whatever is optional.
type MadeReport = ReportsSpApi.Report & { reportDocumentId: string }
type Page = ReportsSpApi.GetReportsResponse & { nextToken?: string }

// The HTTP client of the SDK.
const superagent: { post(url: string): unknown } = createRequire(
  import.meta.resolve('@amazon-sp-api-release/amazon-sp-api-sdk-js'),
)('superagent')

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk({ delay: SECOND })
  })
  beforeEach(async () => {
    token = await souk.tokenFor(souk.demo.refreshToken)
  })
  afterEach(() => vi.restoreAllMocks())

  const connect = () => new ReportsSpApi.ApiClient(souk.url)
  const reports = (client = connect().applyXAmzAccessTokenToRequest(token)) => new ReportsSpApi.ReportsApi(client)
  const specification = (reportType = RETURNS_FLAT_FILE) => ({ reportType, marketplaceIds: [US] })
  const laterBy = (milliseconds: number) => new Date(souk.clock.now().getTime() + milliseconds)

  /** Lets time pass until the report is made. */
  async function make(reportId: string): Promise<MadeReport> {
    const client = new ReportsClient(souk)
    const lookLater = () => {
      souk.clock.advance(SECOND)
      return client.report(reportId)
    }
    await waitFor(lookLater, ({ processingStatus }) => processingStatus === 'DONE')
    return (await reports().getReport(reportId)) as MadeReport
  }

  test('requests a report, reads it while queued and when done, and downloads it', async () => {
    const asked = {
      ...specification(),
      dataStartTime: new Date('2026-05-01T00:00:00Z'),
      dataEndTime: new Date('2026-05-31T00:00:00Z'),
    }
    const createdTime = souk.clock.now()
    const { reportId } = await reports().createReport({ ...asked, ...{ reportOptions: { anything: 'goes' } } })
    expect(await reports().getReport(reportId)).toMatchObject({
      ...asked,
      reportId,
      createdTime,
      processingStatus: 'IN_QUEUE',
    })
    const report = await make(reportId)
    expect(report).toMatchObject({
      ...asked,
      createdTime,
      processingStatus: 'DONE',
      processingStartTime: expect.any(Date),
      processingEndTime: expect.any(Date),
    })

    const document = await reports().getReportDocument(report.reportDocumentId)
    expect(document).toMatchObject({ reportDocumentId: report.reportDocumentId, compressionAlgorithm: 'GZIP' })
    expect(await download(document.url)).toMatch(/^Order ID\tOrder date\t/)
  })

  test('lists reports page by page', async () => {
    for (let count = 0; count < 5; count++) await reports().createReport(specification('GET_SELLER_FEEDBACK_DATA'))
    const filter = {
      reportTypes: ['GET_SELLER_FEEDBACK_DATA', TO_SHIP],
      processingStatuses: ['IN_QUEUE', 'IN_PROGRESS'],
      marketplaceIds: [US],
      createdSince: laterBy(-DAY),
      createdUntil: souk.clock.now(),
    }
    const pages: Page[] = [await reports().getReports({ ...filter, pageSize: 2 })]
    for (const { nextToken } of pages) if (nextToken) pages.push(await reports().getReports({ nextToken }))
    expect(pages.map((one) => one.reports.length)).toEqual([2, 2, 1])
    expect(new Set(pages.flatMap((one) => one.reports.map(({ reportId }) => reportId))).size).toBe(5)
  })

  test('cancels a queued report, and throws an error with status 400 the second time', async () => {
    const { reportId } = await reports().createReport(specification())
    await reports().cancelReport(reportId)
    expect(await reports().getReport(reportId)).toMatchObject({ processingStatus: 'CANCELLED' })
    await expect(reports().cancelReport(reportId)).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'InvalidInput', details: expect.stringContaining('CANCELLED') }] } },
    })
  })

  test('creates, reads, lists and cancels a schedule', async () => {
    const asked = { ...specification(), period: 'P1D', nextReportCreationTime: laterBy(DAY) }
    const { reportScheduleId } = await reports().createReportSchedule(asked)
    const schedule = { ...asked, reportScheduleId }
    expect(await reports().getReportSchedule(reportScheduleId)).toMatchObject(schedule)
    expect(await reports().getReportSchedules([RETURNS_FLAT_FILE, TO_SHIP])).toMatchObject({
      reportSchedules: [schedule],
    })
    await reports().cancelReportSchedule(reportScheduleId)
    await expect(reports().getReportSchedule(reportScheduleId)).rejects.toMatchObject({
      status: 404,
      response: { body: { errors: [{ code: 'NotFound' }] } },
    })
  })

  describe('downloads a report with buyer data', () => {
    let reportDocumentId: string
    beforeAll(async () => {
      token = await souk.tokenFor(souk.demo.refreshToken)
      const { reportId } = await reports().createReport(specification(TO_SHIP))
      ;({ reportDocumentId } = await make(reportId))
    })

    test('only with a restricted token, not with an access token', async () => {
      await expect(reports().getReportDocument(reportDocumentId)).rejects.toMatchObject({ status: 403 })
    })

    test('with a restricted data token that it requested', async () => {
      const client = new TokensSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token)
      const { restrictedDataToken } = (await new TokensSpApi.TokensApi(client).createRestrictedDataToken({
        restrictedResources: [{ method: 'GET', path: `${DOCUMENTS}/{reportDocumentId}` }],
      })) as { restrictedDataToken?: string }
      const restricted = reports(connect().applyRestrictedDataToken(restrictedDataToken ?? ''))
      const { url } = await restricted.getReportDocument(reportDocumentId)
      expect(await download(url)).toMatch(/^order-id\t/)
    })

    test('with a restricted data token that the SDK requests for each call', async () => {
      // The URL of the token endpoint is hard-coded in the SDK.
      const post = superagent.post.bind(superagent)
      const posts = vi
        .spyOn(superagent, 'post')
        .mockImplementation((url) => post(url.replace('https://api.amazon.com', souk.url)))
      const { clientId, clientSecret, refreshToken } = souk.demo
      const client = connect().enableAutoRetrievalRestrictedDataToken(clientId, clientSecret, refreshToken, [])
      const { url } = await reports(client).getReportDocument(reportDocumentId)
      expect(await download(url)).toMatch(/^order-id\t/)
      expect(posts.mock.calls).toEqual([
        ['https://api.amazon.com/auth/o2/token'],
        [`${souk.url}/tokens/2021-03-01/restrictedDataToken`],
      ])
    })
  })
})
