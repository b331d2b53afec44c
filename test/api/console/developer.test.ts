import { beforeAll, describe, expect, test } from 'vitest'
import { buildSeller, putResources, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let seller: Record<string, string>
let account: string
beforeAll(async () => {
  souk = await startTestSouk({ rates: 'documented' })
  seller = { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId }
  account = '/sellers/v1/account'
})

const BUSINESS = { registeredBusinessAddress: { addressLine1: 'Mill Road 1', countryCode: 'GB' } }

const participation = (marketplaceId: string) => `marketplaceIds=${marketplaceId}`

describe('in souk dev, the console', () => {
  test('has a session without a sign-in, with all sellers', async () => {
    const response = await souk.get('/console/v1/session', { headers: { 'x-souk-console': '1' } })
    expect(response.json()).toEqual({
      mode: 'dev',
      role: 'developer',
      sellers: expect.arrayContaining([
        {
          sellerId: souk.demo.sellerId,
          name: expect.any(String),
          marketplaceIds: expect.arrayContaining([souk.demo.marketplaceId]),
        },
        expect.objectContaining({ sellerId: souk.demo.otherSeller.sellerId }),
      ]),
      hasControlPlane: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      now: souk.clock.now().toISOString(),
    })
  })

  test('has the first 100 sellers in its session, the selected one, and finds the others by a text', async () => {
    const other = await startTestSouk()
    const ids = Array.from({ length: 101 }, (_, index) => `B${String(index).padStart(3, '0')}`)
    await putResources(
      other,
      'sellers',
      ids.map((id) => ({
        ...buildSeller(id, [US]),
        ...(id === 'B100' && { business: { ...BUSINESS, name: '100% Wool' } }),
      })),
    )
    const sellersOf = async (headers: Record<string, string>) =>
      (await other.get('/console/v1/session', { headers: { 'x-souk-console': '1', ...headers } })).json().sellers
    expect(await sellersOf({})).toHaveLength(100)
    expect(await sellersOf({ 'x-souk-seller': 'NOBODY' })).toHaveLength(100)
    const withSelected = await sellersOf({ 'x-souk-seller': 'B100' })
    expect(withSelected).toHaveLength(101)
    expect(withSelected.at(-1)).toMatchObject({ sellerId: 'B100', name: '100% Wool' })
    const found = async (search: string) => {
      const path = `/operator/v1/sellers?search=${encodeURIComponent(search)}`
      const { sellers } = (await other.get(path, { headers: { 'x-souk-console': '1' } })).json()
      return sellers.map(({ sellerId }: { sellerId: string }) => sellerId)
    }
    expect(await found('100% wool')).toEqual(['B100'])
    expect(await found('b07')).toEqual(ids.slice(70, 80))
    expect(await found('a stall')).toHaveLength(100)
    expect(await found('%_%')).toEqual([])
    expect(await found("'\\")).toEqual([])
  })

  test('calls the operations of sellers for the seller that it names', async () => {
    for (const sellerId of [souk.demo.sellerId, souk.demo.otherSeller.sellerId]) {
      const headers = { ...seller, 'x-souk-seller': sellerId }
      const response = await souk.get(
        `/listings/2021-08-01/items/${sellerId}?${participation(souk.demo.marketplaceId)}`,
        {
          headers,
        },
      )
      expect(response.statusCode).toBe(200)
    }
    const foreign = `/listings/2021-08-01/items/${souk.demo.otherSeller.sellerId}?${participation(souk.demo.marketplaceId)}`
    expect(errorOf(await souk.get(foreign, { headers: seller }))).toMatchObject({ status: 403, code: 'Unauthorized' })
  })

  test('calls the operations of the operator, and those of an application', async () => {
    const orders = await souk.get('/operator/v1/sellers', { headers: { 'x-souk-console': '1' } })
    expect(orders.json().sellers.length).toBeGreaterThan(1)
    const destinations = await souk.get('/notifications/v1/destinations', { headers: seller })
    expect(destinations).toMatchObject({ statusCode: 200 })
  })

  test.each([
    ['names no seller', {}],
    ['names a seller that does not exist', { 'x-souk-seller': 'NOBODY' }],
  ])('gets 400 if it %s', async (_what, headers) => {
    const response = await souk.get(account, { headers: { 'x-souk-console': '1', ...headers } })
    expect(errorOf(response)).toMatchObject({ status: 400, message: expect.stringContaining('[x-souk-seller]') })
  })

  test.each([
    ['a page of another site', { origin: 'https://example.org' }],
    ['a name that was made to point here', { host: 'rebound.example.org:4700' }],
    ["the vendor's host", { host: 'sellingpartnerapi-na.amazon.com' }],
  ])('is refused to %s', async (_who, headers) => {
    for (const path of [account, '/operator/v1/sellers', '/console/v1/session']) {
      const response = await souk.get(path, { headers: { ...seller, ...headers } })
      expect(errorOf(response)).toMatchObject({ status: 403, code: 'Unauthorized' })
    }
  })

  test('sees the personal data of orders, in both versions', async () => {
    const [orderId] = souk.demo.orders.eligible
    const v0 = await souk.get(`/orders/v0/orders/${orderId}/buyerInfo`, { headers: seller })
    expect(v0.json().payload).toMatchObject({ BuyerName: expect.any(String) })
    const order = await souk.get(`/orders/v0/orders/${orderId}`, { headers: seller })
    expect(order.json().payload).toMatchObject({ ShippingAddress: { Name: expect.any(String) } })
    const current = await souk.get(`/orders/2026-01-01/orders/${orderId}?includedData=BUYER,RECIPIENT`, {
      headers: seller,
    })
    expect(current.json().order).toMatchObject({ buyer: expect.any(Object), recipient: expect.any(Object) })
  })

  test('can cancel what an application requested, and what it requests belongs to no application', async () => {
    const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] }
    const schedule = { ...body, period: 'P1D' }
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const path = '/reports/2021-06-30/schedules'
    const [byApplication, byConsole] = [
      await souk.post(path, { token, payload: schedule }),
      await souk.post(path, { headers: seller, payload: schedule }),
    ].map((response) => response.json().reportScheduleId)
    const refused = await souk.delete(`${path}/${byConsole}`, { token })
    expect(errorOf(refused)).toMatchObject({ status: 403, details: expect.stringContaining('another application') })
    for (const id of [byApplication, byConsole]) {
      expect(await souk.delete(`${path}/${id}`, { headers: seller })).toMatchObject({ statusCode: 200 })
    }
  })

  test('sees and deletes the subscriptions of all applications for its seller, and no others', async () => {
    const notifications = '/notifications/v1'
    const arn = 'arn:aws:sqs:us-east-1:123456789012:console'
    const payload = { name: 'queue', resourceSpecification: { sqs: { arn } } }
    const created = await souk.post(`${notifications}/destinations`, { headers: seller, payload })
    const { destinationId } = created.json().payload
    const subscriptions = `${notifications}/subscriptions/PRICING_HEALTH`
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const subscribed = await souk.post(subscriptions, { token, payload: { payloadVersion: '1.0', destinationId } })
    const { subscriptionId } = subscribed.json().payload
    const other = { ...seller, 'x-souk-seller': souk.demo.otherSeller.sellerId }
    const one = `${subscriptions}/${subscriptionId}`
    expect((await souk.get(subscriptions, { headers: seller })).json().payload).toMatchObject({ subscriptionId })
    expect(errorOf(await souk.get(subscriptions, { headers: other })).status).toBe(404)
    expect(errorOf(await souk.delete(one, { headers: other })).status).toBe(404)
    expect(await souk.delete(one, { headers: seller })).toMatchObject({ statusCode: 200 })
    expect(errorOf(await souk.get(one, { headers: seller })).status).toBe(404)
  })

  test('takes nothing from the quotas of applications', async () => {
    for (let request = 0; request < 20; request++) {
      const response = await souk.get(account, { headers: seller })
      expect(response.statusCode).toBe(200)
      expect(response.headers).not.toHaveProperty('x-amzn-ratelimit-limit')
    }
    const token = await souk.tokenFor(souk.demo.refreshToken)
    expect(await souk.get(account, { token })).toMatchObject({ statusCode: 200 })
  })

  test('is not in the request log, and fault rules neither hit it nor count it', async () => {
    await souk.requests.clear()
    await souk.faults.add({ match: { operations: 'getAccount' }, action: { kind: 'status', status: 503 }, count: 1 })
    expect(await souk.get(account, { headers: seller })).toMatchObject({ statusCode: 200 })
    await souk.get('/console/v1/session', { headers: { 'x-souk-console': '1' } })
    await souk.get('/console/')
    expect((await souk.requests.list()).requests).toEqual([])
    const token = await souk.tokenFor(souk.demo.refreshToken)
    expect(await souk.get(account, { token })).toMatchObject({ statusCode: 503 })
    await souk.faults.clear()
  })

  test('has an application of its own, which cannot be registered', async () => {
    const applications = [{ applicationId: 'souk-console', name: 'Not the console' }]
    const response = await souk.put('/operator/v1/applications', { headers: souk.operator, payload: { applications } })
    expect(errorOf(response)).toMatchObject({ status: 400, details: expect.stringContaining('souk-console') })
  })

  test('works on after a reset', async () => {
    await souk.reset()
    expect(await souk.get(account, { headers: seller })).toMatchObject({ statusCode: 200 })
  })
})
