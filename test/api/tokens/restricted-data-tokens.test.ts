import { beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/cli/openapi-document.ts'
import { probeRoutes } from '../../support/probe-routes.ts'
import { DOCUMENTS, ReportsClient, TO_SHIP } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const TOKENS = '/tokens/2021-03-01/restrictedDataToken'
const ANY_DOCUMENT = `${DOCUMENTS}/{reportDocumentId}`

let souk: TestSouk
let client: ReportsClient
let documentId: string

beforeAll(async () => {
  souk = await startTestSouk({ extraRoutes: [probeRoutes] })
  client = new ReportsClient(souk)
  documentId = (await client.finished({ reportType: TO_SHIP })).reportDocumentId as string
})

const denied = (details: string) => ({ status: 403, code: 'Unauthorized', details: expect.stringContaining(details) })
const create = (payload: unknown) => client.post(TOKENS, payload)
const resource = (path: string, fields: object = {}) => ({ restrictedResources: [{ method: 'GET', path, ...fields }] })

async function tokenFor(...paths: string[]): Promise<string> {
  const response = await create({ restrictedResources: paths.map((path) => ({ method: 'GET', path })) })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().restrictedDataToken
}

describe('createRestrictedDataToken', () => {
  test('returns a token for one hour', async () => {
    const response = await create(resource(ANY_DOCUMENT))
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ restrictedDataToken: expect.stringMatching(/^Atz\.sprdt\|/), expiresIn: 3600 })
  })

  test.each([
    [ANY_DOCUMENT, undefined],
    [`${DOCUMENTS}/amzn1.spdoc.1`, undefined],
    ['/orders/v0/orders', ['buyerInfo']],
    ['/orders/v0/orders/{orderId}', ['shippingAddress', 'buyerTaxInformation']],
    ['/orders/v0/orders/123-1234567-1234567', ['buyerInfo']],
    ['/orders/v0/orders/{orderId}/orderItems', ['buyerInfo']],
    ['/orders/v0/orders/{orderId}/orderItems/buyerInfo', undefined],
    ['/orders/v0/orders/943-12-123434/address', undefined],
    ['/orders/v0/orders/{orderId}/address', ['buyerInfo']],
    ['/orders/v0/orders/{orderId}/buyerInfo', undefined],
    ['/orders/v0/orders/{orderId}/regulatedInfo', undefined],
  ])('accepts %s with the data elements %j', async (path, dataElements) => {
    const response = await create(resource(path, dataElements && { dataElements }))
    expect(response.statusCode, response.body).toBe(200)
  })

  test.each(['/orders/v0/orders', '/orders/v0/orders/{orderId}', '/orders/v0/orders/1/orderItems'])(
    'requires data elements for %s',
    async (path) => {
      for (const fields of [{}, { dataElements: [] }]) {
        expect(errorOf(await create(resource(path, fields)))).toMatchObject({
          status: 400,
          code: 'InvalidInput',
          details: expect.stringMatching(/restrictedResources\[0\]\.dataElements.*\/orders/),
        })
      }
    },
  )

  test.each([
    ['GET', '/sellers/v1/account'],
    ['GET', '/probe/seller'],
    ['POST', TOKENS],
    ['GET', TOKENS],
    ['GET', '/notifications/v1/subscriptions/{notificationType}'],
    ['DELETE', '/notifications/v1/subscriptions/{notificationType}/{subscriptionId}'],
    ['GET', '/reports/2021-06-30/reports/{reportId}'],
    ['GET', '/feeds/2021-06-30/documents/{feedDocumentId}'],
    ['GET', '/listings/2021-08-01/items/{sellerId}/{sku}'],
    ['PUT', ANY_DOCUMENT],
    ['DELETE', ANY_DOCUMENT],
    ['POST', '/orders/v0/orders/{orderId}/shipment'],
    ['GET', '/{a}/{b}/{c}/{d}'],
    ['GET', '/reports/{version}/documents/{reportDocumentId}'],
    ['GET', `${DOCUMENTS}/`],
    ['GET', `${DOCUMENTS}//`],
    ['GET', `/${ANY_DOCUMENT}`],
    ['GET', `${ANY_DOCUMENT}/`],
    ['GET', DOCUMENTS],
    ['GET', `${DOCUMENTS}/..`],
    ['GET', `${DOCUMENTS}/x/../y`],
    ['GET', `/reports/2021-06-30/../2021-06-30/documents/x`],
    ['GET', `${DOCUMENTS.toUpperCase()}/x`],
    ['GET', `${DOCUMENTS}/x?a=b`],
    ['GET', `${DOCUMENTS}/x#a`],
    ['GET', `${DOCUMENTS}/a{b}`],
    ['GET', `${DOCUMENTS}/%zz`],
    ['GET', '/reports/2021-06-30%2Fdocuments/x'],
  ])('refuses %s %s and lists the restricted operations', async (method, path) => {
    const named = { method: 'GET', path: ANY_DOCUMENT }
    expect(errorOf(await create({ restrictedResources: [named, { method, path }] }))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('restrictedResources[1].path'),
      details: expect.stringContaining(`${method} ${path} is not a restricted operation`),
    })
  })

  test.each([
    ['no resources', {}],
    ['an empty list', { restrictedResources: [] }],
    ['51 resources', { restrictedResources: Array(51).fill({ method: 'GET', path: ANY_DOCUMENT }) }],
    ['an unknown method', { restrictedResources: [{ method: 'PATCH', path: ANY_DOCUMENT }] }],
    ['an empty method', { restrictedResources: [{ method: '', path: ANY_DOCUMENT }] }],
    ['no path', { restrictedResources: [{ method: 'GET' }] }],
    ['a path without a slash', resource('a')],
    ['an unknown data element', resource('/orders/v0/orders', { dataElements: ['all'] })],
    ['an unknown target', { ...resource(ANY_DOCUMENT), targetApplication: 'nobody' }],
    ['a list', []],
  ])('refuses %s', async (_what, payload) => {
    expect(errorOf(await create(payload))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('refuses a missing body', async () => {
    expect(errorOf(await souk.post(TOKENS, { token: await client.token() }))).toMatchObject({
      status: 400,
      details: 'The request body is missing.',
    })
  })
})

describe('a restricted data token', () => {
  const get = (path: string, token: string) => souk.get(path, { token })

  test('gives access to the document that it names, or to every document if it names the template', async () => {
    const exact = await tokenFor(`${DOCUMENTS}/another`, `${DOCUMENTS}/${documentId}`)
    expect((await get(`${DOCUMENTS}/${documentId}`, exact)).statusCode).toBe(200)
    expect(errorOf(await get(`${DOCUMENTS}/third`, exact))).toMatchObject(denied('not issued for GET'))
    const any = await tokenFor(ANY_DOCUMENT)
    expect((await get(`${DOCUMENTS}/${documentId}`, any)).statusCode).toBe(200)
  })

  test('compares decoded paths', async () => {
    const encoded = documentId.replace(/^a/, '%61')
    const [plain, spelt] = [await tokenFor(`${DOCUMENTS}/${documentId}`), await tokenFor(`${DOCUMENTS}/${encoded}`)]
    for (const token of [plain, spelt]) {
      for (const path of [documentId, encoded, `${documentId}?enableContentEncodingUrlHeader=true`]) {
        expect((await get(`${DOCUMENTS}/${path}`, token)).statusCode).toBe(200)
      }
    }
  })

  test('gives access to nothing else through another encoding of the path', async () => {
    const token = await tokenFor(`${DOCUMENTS}/${documentId}`)
    const named = `${DOCUMENTS}/${documentId}`
    for (const path of [
      `${named}/../other`,
      `${named}%2F..%2Fother`,
      `${DOCUMENTS}/other%2F..%2F${documentId}`,
      `${DOCUMENTS}/other?x=/${documentId}`,
      `${DOCUMENTS}/other;${documentId}`,
      `${DOCUMENTS}/{reportDocumentId}`,
      `${DOCUMENTS}/%7BreportDocumentId%7D`,
      `/${named}`,
      `${named}/`,
      named.toUpperCase(),
      `/sellers/v1/account?${named}`,
      `/sellers/v1/account/..${named}`,
    ]) {
      expect([403, 404], path).toContain((await get(path, token)).statusCode)
    }
  })

  test('gives access to no operation that is not restricted', async () => {
    const token = await tokenFor(ANY_DOCUMENT)
    type Paths = Record<string, Record<string, { security: object[] }>>
    const { paths } = JSON.parse(await openApiDocument()) as { paths: Paths }
    const opened: string[] = []
    let tried = 0
    for (const [path, methods] of Object.entries(paths)) {
      if (path.startsWith('/operator/')) continue
      const url = path.replace('{sellerId}', souk.demo.sellerId).replace(/\{\w+\}/g, 'x')
      for (const [method, { security }] of Object.entries(methods)) {
        // These require no token.
        if (security.length === 0) continue
        const response = await souk.send(method.toUpperCase() as 'GET', url, { token })
        tried++
        if (response.statusCode !== 403) opened.push(`${method} ${path}`)
      }
    }
    expect(tried).toBeGreaterThan(40)
    expect(opened).toEqual([`get ${ANY_DOCUMENT}`])
  })

  test("gives no access to another seller's data", async () => {
    const other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
    const { restrictedDataToken } = (await other.post(TOKENS, resource(ANY_DOCUMENT))).json()
    expect(errorOf(await get(`${DOCUMENTS}/${documentId}`, restrictedDataToken))).toMatchObject({ status: 400 })
  })

  test('expires after one hour', async () => {
    const token = await tokenFor(ANY_DOCUMENT)
    souk.clock.advance(3_600_000)
    expect(errorOf(await get(`${DOCUMENTS}/${documentId}`, token))).toMatchObject(denied('expired'))
  })
})
