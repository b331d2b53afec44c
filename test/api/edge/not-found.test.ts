import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { unservedOperations } from '../../../src/http/unserved-operations.ts'
import { modelsBesideCheckout, normalizePath, readModels } from '../../models/model.ts'
import { readOperations } from '../../support/openapi-parameters.ts'
import { modelsArePresent } from '../../support/public-models.ts'
import { errorOf, reasonOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
})

describe('an operation of the public API that Souk does not support', () => {
  test.each([
    [
      'GET',
      '/messaging/v1/orders/1?marketplaceIds=ATVPDKIKX0DER',
      'the operation getMessagingActionsForOrder of the Messaging API',
    ],
    [
      'POST',
      '/messaging/v1/orders/123-1234567-1234567/messages/invoice',
      'the operation sendInvoice of the Messaging API',
    ],
    ['GET', '/fba/inventory/v1/summaries', 'the operation getInventorySummaries of the FBA Inventory API'],
    ['DELETE', '/fba/inventory/v1/items/a%2Fb', 'the operation deleteInventoryItem of the FBA Inventory API'],
    ['PUT', '/messaging/v1/orders', 'the Messaging API'],
    ['GET', '/vendor/orders/v1/purchaseOrders', 'the Vendor API'],
    ['GET', '/vendor/directFulfillment/orders/2021-12-28/purchaseOrders', 'the Vendor Direct Fulfillment API'],
    ['GET', '/catalog/v0/categories?ASIN=B0', 'the operation listCatalogCategories of the Catalog Items API'],
  ])('%s %s is 404 with that reason, with and without a token', async (method, path, what) => {
    for (const headers of [{}, { 'x-amz-access-token': token }]) {
      const response = await souk.send(method as 'GET', path, { headers })
      expect(errorOf(response)).toEqual({
        status: 404,
        code: 'NotFound',
        message: `Souk does not implement ${what}.`,
        details: 'See /docs/coverage for the supported operations.',
      })
    }
  })

  test('has a row on the page that the error links to', () => {
    const page = readFileSync('docs/coverage.md', 'utf8')
    for (const { method, path, name } of unservedOperations) {
      expect(page).toContain(`| ${name} | \`${method} ${path}\` |`)
    }
  })

  test('is not served by any route', async () => {
    for (const { method, path, name } of unservedOperations) {
      const response = await souk.send(method as 'GET', path.replace(/\{\w+\}/g, 'X'))
      expect(errorOf(response), path).toMatchObject({
        status: 404,
        message: expect.stringContaining(`does not implement the operation ${name} of`),
      })
    }
  })
})

test.skipIf(!modelsArePresent)(
  'every other operation of the public models gets 404 with its name and a link to the coverage page',
  async () => {
    const page = readFileSync('docs/coverage.md', 'utf8')
    const served = new Set(
      readOperations((await souk.get('/docs/try/json')).json()).map(
        ({ method, path }) => `${method} ${normalizePath(path)}`,
      ),
    )
    const operations = readModels(modelsBesideCheckout)
    const others = operations.filter(({ method, path }) => !served.has(`${method} ${normalizePath(path)}`))
    expect(operations.length).toBeGreaterThan(70)
    expect(others.length).toBeGreaterThan(10)
    for (const { method, path, name } of others) {
      const response = await souk.send(method as 'GET', path.replace(/\{\w+\}/g, 'X'), { token })
      expect(errorOf(response), `${method} ${path}`).toMatchObject({
        status: 404,
        message: expect.stringContaining(`does not implement the operation ${name} of`),
        details: expect.stringContaining('/docs/coverage'),
      })
      expect(page).toContain(`| ${name} | \`${method} ${path}\` |`)
    }
  },
)

describe('a path that does not exist', () => {
  test.each([
    ['/listing/2021-08-01/items/A1/SKU', '/listings/2021-08-01/items/{sellerId}/{sku}'],
    ['/reports/2020-09-04/reports', '/reports/2021-06-30/reports'],
    ['/reports/2020-09-04/reports/123', '/reports/2021-06-30/reports/{reportId}'],
    ['/feeds/2020-09-04/feeds?feedTypes=X', '/feeds/2021-06-30/feeds'],
    ['/sellers/v1/marketplaceParticipation', '/sellers/v1/marketplaceParticipations'],
    ['/sellers/v1/account/', '/sellers/v1/account'],
    ['/auth/02/token', '/auth/o2/token'],
    ['/solicitations/v1/orders', '/solicitations/v1/orders/{amazonOrderId}'],
    ['/catalog/2020-12-01/items/B0', '/catalog/2022-04-01/items/{asin}'],
  ])('%s suggests %s', async (path, nearest) => {
    const response = await souk.get(path, { token })
    expect(errorOf(response)).toMatchObject({
      status: 404,
      code: 'NotFound',
      message: `No operation at ${path.split('?')[0]}.`,
      details: `Did you mean ${nearest}?`,
    })
    expect(reasonOf(response)).toBe(`Did you mean ${nearest}?`)
  })

  test('names the documentation if no path is similar', async () => {
    const response = await souk.get('/nowhere/to/be/found')
    expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound', details: '' })
    expect(reasonOf(response)).toContain('/docs/coverage')
  })

  test('names the OpenAPI document of the control plane below /_souk/', async () => {
    expect(errorOf(await souk.get('/_souk/nothing')).details).toContain('/_souk/openapi.json')
    expect(errorOf(await souk.get('/_souk/clok')).details).toBe('Did you mean /_souk/clock?')
  })

  test('is not repeated at length', async () => {
    const response = await souk.get(`/${'x'.repeat(10_000)}/${'y/'.repeat(1000)}`)
    expect(response.statusCode).toBe(404)
    expect(response.body.length).toBeLessThan(500)
  })
})

test('a known path with another method gets 405, and the header Allow lists its methods', async () => {
  const response = await souk.delete('/sellers/v1/account', { token })
  expect(errorOf(response)).toMatchObject({ status: 405, code: 'MethodNotAllowed' })
  expect(response.headers.allow).toBe('GET')
})

describe('the two ports of the stand-in', () => {
  test('an API client on the queue port gets the right URL in the error', async () => {
    const response = await fetch(`${souk.queueUrl}/sellers/v1/account`, { headers: { 'x-amz-access-token': token } })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      errors: [
        {
          code: 'NotFound',
          message: `This is the local queue. The Selling Partner API is at ${souk.url}.`,
          details: '',
        },
      ],
    })
    const refused = await fetch(`${souk.queueUrl}/auth/o2/token`, { method: 'POST', body: 'grant_type=refresh_token' })
    expect(await refused.json()).toEqual({
      error: 'invalid_request',
      error_description: `This is the local queue. The Selling Partner API is at ${souk.url}.`,
    })
  })

  test('a queue client on the API port gets a hint to the queue port', async () => {
    const headers = { 'x-amz-target': 'AmazonSQS.ReceiveMessage', 'content-type': 'application/x-amz-json-1.0' }
    const response = await souk.post('/', { headers, payload: '{"QueueUrl":"x"}' })
    expect(errorOf(response)).toMatchObject({ status: 404, details: expect.stringContaining('local queue') })
  })
})
