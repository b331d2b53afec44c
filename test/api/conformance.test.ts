import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../support/souk.ts'

// The public models are no part of the project: they lie beside a checkout of those who have them.
const models = new URL('../../../shared/models/', import.meta.url)
const present = existsSync(models)
if (!present) console.warn('skipped: conformance with the public models, which are not beside this checkout')

/** Checks an answer against a definition of a public Swagger 2.0 model. */
function conformsTo(file: string, definition: string, answer: unknown): void {
  const model = JSON.parse(readFileSync(new URL(file, models), 'utf8'))
  const ajv = new Ajv({ strict: false })
  const valid = ajv.validate({ definitions: model.definitions, $ref: `#/definitions/${definition}` }, answer)
  expect(valid, ajv.errorsText()).toBe(true)
}

describe.skipIf(!present)('answers conform to the public models', () => {
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
    const model = JSON.parse(readFileSync(new URL('solicitations.json', models), 'utf8'))
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
})
