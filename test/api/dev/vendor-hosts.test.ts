import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { REDIRECT_HEADER } from '../../../src/platform/vendor-hosts.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { exchange } from '../../support/exchange.ts'
import { DOCUMENTS, REPORTS, US } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const API_HOST = 'sellingpartnerapi-na.amazon.com'
const S3_HOST = 'souk-documents.s3.us-east-1.amazonaws.com'
const TEXT = 'text/plain; charset=UTF-8'

describe('a redirected request to a host of the vendor', () => {
  let souk: TestSouk
  let token: string
  let reportDocumentId: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
    const payload = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [US] }
    const { reportId } = (await souk.post(REPORTS, { token, payload })).json()
    await souk.idle()
    ;({ reportDocumentId } = (await souk.get(`${REPORTS}/${reportId}`, { token })).json())
  })

  const at = (host: string) => ({ token, headers: { host, [REDIRECT_HEADER]: '1' } })

  /** Sends a request to the host and path of a URL, as a redirect would. */
  const follow = (url: string, { method = 'GET', host = new URL(url).host, contentType = '', payload = '' } = {}) => {
    const { pathname, search } = new URL(url)
    const headers = { host, ...(contentType && { 'content-type': contentType }) }
    return souk.send(method as 'GET', pathname + search, { headers, ...(payload && { payload }) })
  }

  const reportUrl = async (host: string): Promise<string> => {
    const response = await souk.get(`${DOCUMENTS}/${reportDocumentId}`, at(host))
    return response.json().url
  }

  test.each([
    [API_HOST, S3_HOST],
    ['sandbox.sellingpartnerapi-na.amazon.com', S3_HOST],
    ['SELLINGPARTNERAPI-EU.AMAZON.COM:443', 'souk-documents.s3.eu-west-1.amazonaws.com'],
    ['sellingpartnerapi-fe.amazon.com.', 'souk-documents.s3.us-west-2.amazonaws.com'],
  ])('%s gets a report at %s, and can download it there', async (host, s3Host) => {
    const url = await reportUrl(host)
    expect(new URL(url)).toMatchObject({ protocol: 'https:', host: s3Host })
    const response = await follow(url)
    expect(response.statusCode).toBe(200)
    expect(gunzipSync(response.rawPayload).toString()).toContain(souk.demo.skus[0])
  })

  test.each(['127.0.0.1:4700', 'evil-amazon.com', 'sellingpartnerapi-na.amazon.com.evil.com', 'localhost'])(
    'is one with %s neither: its links lead to Souk itself',
    async (host) => {
      expect(await reportUrl(host)).toMatch(`${souk.url}/documents/`)
    },
  )

  test('is not one that only has its Host header: the links lead to Souk itself', async () => {
    const response = await souk.get(`${DOCUMENTS}/${reportDocumentId}`, { token, headers: { host: API_HOST } })
    expect(response.json().url).toMatch(`${souk.url}/documents/`)
  })

  test('can upload a feed to a host of S3, after a request with a body', async () => {
    const payload = { contentType: TEXT }
    const response = await souk.post('/feeds/2021-06-30/documents', { ...at(API_HOST), payload })
    const { url, feedDocumentId } = response.json()
    expect(new URL(url).host).toBe(S3_HOST)
    const uploaded = await follow(url, { method: 'PUT', contentType: TEXT, payload: 'content' })
    expect({ status: uploaded.statusCode, body: uploaded.json() }).toEqual({
      status: 200,
      body: { url, feedDocumentId },
    })
    const refused = await follow(url, { method: 'PUT', contentType: 'text/html', payload: 'content' })
    expect(refused.statusCode).toBe(403)
    expect(refused.body).toContain('<Code>SignatureDoesNotMatch</Code>')
  })

  test('gets the schema of a product type at a host of S3', async () => {
    const path = `/definitions/2020-09-01/productTypes/SHOES?marketplaceIds=${US}`
    const { schema } = (await souk.get(path, at(API_HOST))).json()
    expect(new URL(schema.link.resource).host).toBe(S3_HOST)
    expect((await follow(schema.link.resource)).json()).toHaveProperty('properties')
  })

  test('gets links whose signature covers the host and ends after five minutes', async () => {
    const url = await reportUrl(API_HOST)
    for (const host of ['souk-documents.s3.eu-west-1.amazonaws.com', '127.0.0.1']) {
      const elsewhere = await follow(url, { host })
      expect(elsewhere.statusCode).toBe(403)
      expect(elsewhere.body).toContain('<Code>SignatureDoesNotMatch</Code>')
    }
    souk.clock.advance(301_000)
    const expired = await follow(url)
    expect(expired.statusCode).toBe(403)
    expect(expired.body).toContain('<Code>AccessDenied</Code>')
  })

  test.each(['/my-bucket/key', REPORTS, '/operator/v1/jobs'])('of S3 gets an S3 error in XML for %s', async (path) => {
    // Without the check of responses: the error is not one of the operation.
    await using plain = await startStandIn()
    const response = await plain.inject({ url: path, headers: { host: 'my-bucket.s3.amazonaws.com' } })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toBe('application/xml')
    expect(response.body).toContain('<Code>NoSuchBucket</Code>')
  })

  test.each(['api.amazon.com', 'api.amazon.co.uk', 'api.amazon.co.jp'])('%s gets a token', async (host) => {
    const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = souk.demo
    const payload = { grant_type: 'refresh_token', client_id, client_secret, refresh_token }
    for (const path of ['/auth/o2/token', '/auth/O2/token']) {
      const response = await souk.post(path, { headers: { host }, payload })
      expect(response.json()).toMatchObject({ access_token: expect.stringMatching(/^Atza\|/) })
    }
  })

  test('and a path that does not exist gets the usual error', async () => {
    expect(errorOf(await souk.get('/nothing/v1', at(API_HOST)))).toMatchObject({ status: 404, code: 'NotFound' })
  })

  test('may have it twice or malformed without harm', async () => {
    for (const host of [`${API_HOST}, evil.com`, `${API_HOST}\t`, `${'a'.repeat(5000)}.s3.amazonaws.com`, '..']) {
      const answer = await exchange(souk.url, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 [24]/)
    }
  })
})
