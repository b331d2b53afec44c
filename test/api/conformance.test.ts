import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../src/index.ts'
import { conformsTo, modelsArePresent, readModel } from '../support/public-models.ts'
import {
  beginProcessing,
  DAY,
  DOCUMENTS,
  REPORTS,
  RETURNS,
  ReportsClient,
  reportIn,
  SCHEDULES,
} from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

const REPORTS_MODEL = 'reports_2021-06-30.json'

describe.skipIf(!modelsArePresent)('responses conform to the public models', () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  test('getSolicitationActionsForOrder, eligible and not', async () => {
    for (const orderId of [souk.demo.orders.eligible[0], souk.demo.orders.tooLate]) {
      const path = `/solicitations/v1/orders/${orderId}?marketplaceIds=${souk.demo.marketplaceId}`
      const answer = (await souk.get(path, { token })).json()
      conformsTo('solicitations.json', 'GetSolicitationActionsForOrderResponse', answer)
    }
  })

  test('the schema of an action', async () => {
    const path = `/solicitations/v1/orders/${souk.demo.orders.optedOut}/solicitations/productReviewAndSellerFeedback/schema`
    conformsTo('solicitations.json', 'GetSchemaResponse', (await souk.get(path, { token })).json())
  })

  test('the fixture of the public sandbox: its order is eligible and has the links that it shows', async () => {
    const model = readModel('solicitations.json')
    const operation = model.paths['/solicitations/v1/orders/{amazonOrderId}'].get
    const [fixture] = operation.responses['200']['x-amzn-api-sandbox'].static
    const { amazonOrderId, marketplaceIds } = fixture.request.parameters
    const path = `/solicitations/v1/orders/${amazonOrderId.value}?marketplaceIds=${marketplaceIds.value}`
    expect((await souk.get(path, { token })).json()).toMatchObject(fixture.response)
  })

  test('errors', async () => {
    const answer = (await souk.get('/solicitations/v1/orders/1', { token })).json()
    conformsTo('solicitations.json', 'GetSolicitationActionsForOrderResponse', answer)
    conformsTo('solicitations.json', 'ErrorList', answer.errors)
  })

  test('getMarketplaceParticipations and getAccount, of both sellers', async () => {
    for (const own of [token, await souk.tokenFor(souk.demo.otherSeller.refreshToken)]) {
      const participations = (await souk.get('/sellers/v1/marketplaceParticipations', { token: own })).json()
      conformsTo('sellers.json', 'GetMarketplaceParticipationsResponse', participations)
      const account = (await souk.get('/sellers/v1/account', { token: own })).json()
      conformsTo('sellers.json', 'GetAccountResponse', account)
    }
  })

  test('createRestrictedDataToken', async () => {
    const payload = { restrictedResources: [{ method: 'GET', path: '/orders/v0/orders/{orderId}/address' }] }
    const answer = (await souk.post('/tokens/2021-03-01/restrictedDataToken', { token, payload })).json()
    conformsTo('tokens_2021-03-01.json', 'CreateRestrictedDataTokenResponse', answer)
  })

  test('reports in each of their states, and the list of them', async () => {
    const clock = new ManualClock('2026-06-01T12:00:00Z')
    const client = new ReportsClient(await startTestSouk({ clock, delay: 7_000 }))
    const created = (await client.createReport()).json()
    conformsTo(REPORTS_MODEL, 'CreateReportResponse', created)
    conformsTo(REPORTS_MODEL, 'Report', await client.report(created.reportId))
    conformsTo(REPORTS_MODEL, 'Report', await beginProcessing(client, clock, created.reportId, 7_000))
    clock.advance(7_000)
    const done = await reportIn(client, created.reportId, 'DONE')
    conformsTo(REPORTS_MODEL, 'Report', done)
    const document = (await client.get(`${DOCUMENTS}/${done.reportDocumentId}`)).json()
    conformsTo(REPORTS_MODEL, 'ReportDocument', document)

    await client.created()
    const page = await client.reports(`reportTypes=${RETURNS}&pageSize=1`)
    expect(page.nextToken).toBeDefined()
    conformsTo(REPORTS_MODEL, 'GetReportsResponse', page)
  })

  test('report schedules, and a report that was made by one', async () => {
    const client = new ReportsClient(await startTestSouk())
    const options = { reportOptions: { custom: 'true' } }
    const body = { reportType: RETURNS, marketplaceIds: [souk.demo.marketplaceId], period: 'P30D', ...options }
    conformsTo(REPORTS_MODEL, 'CreateReportScheduleSpecification', body)
    const created = (await client.post(SCHEDULES, body)).json()
    conformsTo(REPORTS_MODEL, 'CreateReportScheduleResponse', created)
    const schedule = (await client.get(`${SCHEDULES}/${created.reportScheduleId}`)).json()
    conformsTo(REPORTS_MODEL, 'ReportSchedule', schedule)
    const list = (await client.get(`${SCHEDULES}?reportTypes=${RETURNS}`)).json()
    conformsTo(REPORTS_MODEL, 'ReportScheduleList', list)
    client.souk.clock.advance(30 * DAY)
    await client.souk.idle()
    const { reports } = await client.reports(`reportTypes=${RETURNS}`)
    expect(reports).toMatchObject([{ reportScheduleId: created.reportScheduleId }])
    conformsTo(REPORTS_MODEL, 'Report', reports[0])
  })

  test('every period that the model of reports knows is taken', async () => {
    const client = new ReportsClient(souk)
    const { definitions } = readModel(REPORTS_MODEL)
    const periods: string[] = definitions.CreateReportScheduleSpecification.properties.period.enum
    expect(periods.length).toBeGreaterThan(10)
    for (const period of periods) {
      const body = { reportType: RETURNS, marketplaceIds: [souk.demo.marketplaceId], period }
      expect((await client.post(SCHEDULES, body)).statusCode).toBe(201)
    }
  })

  test('refusals of reports', async () => {
    const client = new ReportsClient(souk)
    for (const refused of [
      await client.createReport({ reportType: 'GET_NOTHING' }),
      await client.get(`${REPORTS}/1`),
      await client.get(`${DOCUMENTS}/1`),
    ]) {
      conformsTo(REPORTS_MODEL, 'ErrorList', refused.json())
    }
  })
})
