import { beforeAll, describe, expect, test } from 'vitest'
import { buildOrder } from '../../support/orders.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const DE = 'A1PA6795UKMFR9'
const JP = 'A1VC38T7YXB528'
const ACTION = 'productReviewAndSellerFeedback'

describe('getSolicitationActionsForOrder', () => {
  let souk: TestSouk
  let token: string
  let eligible: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
    eligible = souk.demo.orders.eligible[0] as string
  })

  const path = (orderId: string, marketplaceId = souk.demo.marketplaceId) =>
    `/solicitations/v1/orders/${orderId}?marketplaceIds=${marketplaceId}`

  test('returns the action for an eligible order, in the formats of the specification and the model', async () => {
    const response = await souk.get(path(eligible), { token })
    const order = `/solicitations/v1/orders/${eligible}`
    const query = `?marketplaceIds=${souk.demo.marketplaceId}`
    const action = { href: `${order}/solicitations/${ACTION}${query}`, name: ACTION }
    const schema = { href: `${order}/solicitations/${ACTION}/schema${query}`, name: ACTION }

    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(/^application\/hal\+json/)
    const body = response.json()
    expect(body._links).toEqual({ self: { href: `${order}${query}` }, actions: [action] })
    expect(body._embedded.actions).toHaveLength(1)
    const [embedded] = body._embedded.actions
    expect(embedded).toMatchObject({
      name: ACTION,
      title: expect.any(String),
      payload: { name: ACTION },
      _links: { self: action, schema },
    })
    const fields = {
      type: 'object',
      name: ACTION,
      title: expect.any(String),
      description: expect.any(String),
      disabled: false,
      disabledReason: null,
      properties: {},
      required: [],
      $schema: 'http://json-schema.org/draft-04/schema#',
      'x-ui-hidden': expect.any(Boolean),
    }
    expect(embedded._embedded.schema).toEqual({ _links: { self: schema }, ...fields, payload: fields })
  })

  test('returns links that resolve', async () => {
    const { _links, _embedded } = (await souk.get(path(eligible), { token })).json()
    expect((await souk.get(_links.self.href, { token })).json()._links).toEqual(_links)
    const schema = await souk.get(_embedded.actions[0]._links.schema.href, { token })
    expect(schema.json()).toEqual(_embedded.actions[0]._embedded.schema)
  })

  test.each(['notDelivered', 'tooEarly', 'tooLate', 'optedOut', 'alreadySolicited'] as const)(
    'lists no action for an order that is %s',
    async (condition) => {
      const response = await souk.get(path(souk.demo.orders[condition]), { token })
      expect(response.statusCode).toBe(200)
      expect(response.json()).toMatchObject({ _links: { actions: [] }, _embedded: { actions: [] } })
    },
  )

  test('opens the window exactly 5 days after the earliest delivery date, and closes it 30 days after the latest', async () => {
    const windows = await startTestSouk()
    const windowsToken = () => windows.tokenFor(windows.demo.refreshToken)
    const available = async () => {
      const response = await windows.get(path(orderId), { token: await windowsToken() })
      return response.json()._embedded.actions.length === 1
    }
    const orderId = '999-0000000-0000001'
    const order = buildOrder(windows.clock.now(), {
      sellerId: windows.demo.sellerId,
      orderId,
      earliestDeliveryAt: '2026-06-01T12:00:00Z',
      latestDeliveryAt: '2026-06-03T12:00:00Z',
      deliveredAt: '2026-06-01T12:00:00Z',
    })
    await windows.put('/operator/v1/orders', { headers: windows.operator, payload: { orders: [order] } })
    const day = 24 * 60 * 60 * 1000

    windows.clock.advance(5 * day - 1000)
    expect(await available()).toBe(false)
    windows.clock.advance(1000)
    expect(await available()).toBe(true)
    windows.clock.advance(27 * day)
    expect(await available()).toBe(true)
    windows.clock.advance(1000)
    expect(await available()).toBe(false)
  })

  test.each([
    ['comma separated, encoded', (id: string) => `?marketplaceIds=${id}%2C`],
    ["with keys of a client's own", (id: string) => `?marketplaceIds=${id}&MarketplaceIds=X&path=/y`],
  ])('takes the marketplace %s', async (_spelling, query) => {
    const response = await souk.get(`/solicitations/v1/orders/${eligible}${query(souk.demo.marketplaceId)}`, { token })
    expect(response.statusCode).toBe(200)
  })

  test.each([
    ['missing', ''],
    ['empty', '?marketplaceIds='],
    ['two, comma separated', `?marketplaceIds=ATVPDKIKX0DER,${DE}`],
    ['two, as repeated keys', `?marketplaceIds=ATVPDKIKX0DER&marketplaceIds=${DE}`],
  ])('refuses marketplaceIds that are %s', async (_what, query) => {
    const response = await souk.get(`/solicitations/v1/orders/${eligible}${query}`, { token })
    expect(errorOf(response)).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('[marketplaceIds]'),
    })
  })

  test('refuses an unknown marketplace, and one without participation', async () => {
    expect(errorOf(await souk.get(path(eligible, 'NOSUCH'), { token }))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: 'Marketplace NOSUCH does not exist.',
    })
    expect(errorOf(await souk.get(path(eligible, JP), { token }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining(JP),
    })
  })

  test('returns the same 404 for an unknown order and for those of another marketplace or seller', async () => {
    const otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const answers = [
      await souk.get(path('999-9999999-9999999'), { token }),
      await souk.get(path(eligible, DE), { token }),
      await souk.get(path(eligible), { token: otherToken }),
    ]
    for (const answer of answers) {
      expect(errorOf(answer)).toMatchObject({ status: 404, code: 'NotFound', message: 'The order was not found.' })
    }
  })
})

describe('getSolicitationActionSchema', () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  const schemaOf = (orderId: string) =>
    souk.get(`/solicitations/v1/orders/${orderId}/solicitations/${ACTION}/schema`, { token })

  test('is enabled for an eligible order, and requires no marketplace', async () => {
    const response = await schemaOf(souk.demo.orders.eligible[1] as string)
    expect(response.json()).toMatchObject({ disabled: false, disabledReason: null, name: ACTION })
  })

  test.each([
    ['notDelivered', /not been delivered/],
    ['tooEarly', /too early.*5 days after the earliest .* to 30 days/],
    ['tooLate', /too late.*5 days after the earliest .* to 30 days/],
    ['optedOut', /opted out of review requests/],
    ['alreadySolicited', /already sent/],
  ] as const)('is disabled and says why for an order that is %s', async (condition, reason) => {
    const response = await schemaOf(souk.demo.orders[condition])
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ disabled: true, disabledReason: expect.stringMatching(reason) })
    expect(response.json().payload).toMatchObject({ disabled: true, disabledReason: expect.stringMatching(reason) })
  })

  test("returns 404 for another seller's order", async () => {
    const otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const path = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}/solicitations/${ACTION}/schema`
    expect(errorOf(await souk.get(path, { token: otherToken })).status).toBe(404)
  })
})
