import { beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENTS, download, ReportsClient, TO_SHIP } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: ReportsClient
let documentId: string

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  documentId = (await client.finished({ reportType: TO_SHIP })).reportDocumentId as string
})

async function restrictedToken(path: string, seller = client): Promise<string> {
  const response = await seller.post('/tokens/2021-03-01/restrictedDataToken', {
    restrictedResources: [{ method: 'GET', path }],
  })
  expect(response.statusCode).toBe(200)
  return response.json().restrictedDataToken
}
const get = (token: string, id = documentId) => client.get(`${DOCUMENTS}/${id}`, { token })
const denied = { status: 403, code: 'Unauthorized' }

describe('a report with personal data', () => {
  test('is listed, but its document requires a restricted data token', async () => {
    expect(documentId).toBeTruthy()
    expect(errorOf(await get(await client.token()))).toMatchObject({
      ...denied,
      details: expect.stringContaining('restricted data token'),
    })
  })

  test.each([
    ['by pattern', () => `${DOCUMENTS}/{reportDocumentId}`],
    ['exactly', () => `${DOCUMENTS}/${documentId}`],
  ])('can be downloaded with a restricted data token that names it %s', async (_how, path) => {
    const response = await get(await restrictedToken(path()))
    expect(response.statusCode).toBe(200)
    expect(await download(response.json().url)).toMatch(/^order-id\torder-item-id\t/)
  })

  test.each([
    ['another document', `${DOCUMENTS}/another`],
    ['another operation', '/orders/v0/orders/{orderId}/address'],
  ])('cannot be downloaded with a restricted data token for %s', async (_what, path) => {
    expect(errorOf(await get(await restrictedToken(path)))).toMatchObject(denied)
  })

  test("is unknown to another seller's restricted data token", async () => {
    const other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
    const token = await restrictedToken(`${DOCUMENTS}/{reportDocumentId}`, other)
    expect(errorOf(await get(token))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })
})

test('a report without personal data can be downloaded with either token', async () => {
  const { reportDocumentId } = await client.finished()
  const token = await restrictedToken(`${DOCUMENTS}/{reportDocumentId}`)
  expect((await get(token, reportDocumentId)).statusCode).toBe(200)
  expect((await get(await client.token(), reportDocumentId)).statusCode).toBe(200)
})
