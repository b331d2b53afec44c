import { SignatureV4 } from '@smithy/signature-v4'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { NodeSha256 } from '../../../src/platform/auth/node-sha256.ts'
import { DOCUMENTS, REPORTS, RETURNS, ReportsClient, SCHEDULES, US } from '../../support/reports.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

const body = { reportType: RETURNS, marketplaceIds: [US], period: 'P1D' }

/** Each operation with a valid request and its rate in requests per second. */
const operations: [name: string, method: InjectOptions['method'], path: string, rate: string, payload?: object][] = [
  ['createReport', 'POST', REPORTS, '0.0167', body],
  ['getReports', 'GET', `${REPORTS}?reportTypes=${RETURNS}`, '0.0222'],
  ['getReport', 'GET', `${REPORTS}/1`, '2.0'],
  ['cancelReport', 'DELETE', `${REPORTS}/1`, '0.0222'],
  ['createReportSchedule', 'POST', SCHEDULES, '0.0222', body],
  ['getReportSchedules', 'GET', `${SCHEDULES}?reportTypes=${RETURNS}`, '0.0222'],
  ['getReportSchedule', 'GET', `${SCHEDULES}/1`, '0.0222'],
  ['cancelReportSchedule', 'DELETE', `${SCHEDULES}/1`, '0.0222'],
  ['getReportDocument', 'GET', `${DOCUMENTS}/1`, '0.0167'],
]
const denied = (details: string) => ({
  status: 403,
  code: 'Unauthorized',
  details: expect.stringContaining(details),
})

describe('each reports operation', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk({ rates: 'documented' })
  })

  test.each(operations)("%s requires a seller's access token", async (_name, method, path, _rate, payload) => {
    const call = async (token?: string) =>
      errorOf(await souk.send(method, path, { ...(token && { token }), ...(payload && { payload }) }))
    expect(await call()).toMatchObject(denied('missing'))
    expect(await call('Atza|wrong')).toMatchObject(denied('invalid'))
    expect(await call(await souk.grantlessToken(NOTIFICATIONS))).toMatchObject(denied('grantless'))
  })

  test.each(operations)('%s returns its rate in a header', async (_name, method, path, rate, payload) => {
    const response = await new ReportsClient(souk).send(method, path, payload ? { payload } : {})
    expect(response.statusCode).not.toBe(403)
    expect(response.headers['x-amzn-ratelimit-limit']).toBe(rate)
  })
})

describe('the documented quotas', () => {
  test.each<[string, number, (client: ReportsClient) => ReturnType<ReportsClient['get']>]>([
    ['createReport', 15, (client) => client.createReport()],
    ['getReports', 10, (client) => client.get(`${REPORTS}?reportTypes=${RETURNS}`)],
    ['getReport', 15, (client) => client.get(`${REPORTS}/1`)],
    ['createReportSchedule', 10, (client) => client.post(SCHEDULES, body)],
    ['getReportDocument', 15, (client) => client.get(`${DOCUMENTS}/1`)],
  ])('of %s allow a burst of %i requests and refuse the next', async (_name, burst, call) => {
    const client = new ReportsClient(await startTestSouk({ rates: 'documented' }))
    for (let index = 0; index < burst; index++) expect((await call(client)).statusCode).not.toBe(429)
    expect(errorOf(await call(client))).toMatchObject({ status: 429, code: 'QuotaExceeded' })
  })
})

describe('if signed requests are required', () => {
  let souk: TestSouk
  let client: ReportsClient
  beforeAll(async () => {
    souk = await startTestSouk({ signing: { required: true } })
    client = new ReportsClient(souk)
  })

  /** The headers of a request signed with the AWS SDK's signer. */
  async function signed(method: string, path: string, payload = '') {
    const signer = new SignatureV4({
      credentials: souk.demo.signingKey,
      region: 'us-east-1',
      service: 'execute-api',
      sha256: NodeSha256,
    })
    const token = await client.token()
    const headers = { host: 'souk.example', 'content-type': 'application/json', 'x-amz-access-token': token }
    const request = { method, protocol: 'https:', hostname: 'souk.example', path, query: {}, headers, body: payload }
    return (await signer.sign(request, { signingDate: souk.clock.now() })).headers
  }

  test.each(operations)('%s refuses an unsigned request', async (_name, method, path, _rate, payload) => {
    expect(errorOf(await client.send(method, path, payload ? { payload } : {}))).toMatchObject(denied('not signed'))
  })

  test('a signed createReport and a signed getReportDocument with a body are accepted', async () => {
    const payload = JSON.stringify(body)
    const created = await souk.post(REPORTS, { headers: await signed('POST', REPORTS, payload), payload })
    expect(created.statusCode).toBe(202)
    await souk.idle()

    const reportPath = `${REPORTS}/${created.json().reportId}`
    const report = await souk.get(reportPath, { headers: await signed('GET', reportPath) })
    const documentPath = `${DOCUMENTS}/${report.json().reportDocumentId}`
    const question = '{"contentType":"application/json"}'
    const headers = await signed('GET', documentPath, question)
    expect((await souk.get(documentPath, { headers, payload: question })).statusCode).toBe(200)
    expect(errorOf(await souk.get(documentPath, { headers, payload: '{"contentType":"text/xml"}' }))).toMatchObject(
      denied('does not match'),
    )
  })
})
