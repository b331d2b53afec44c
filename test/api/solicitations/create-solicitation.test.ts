import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const ACTION = 'productReviewAndSellerFeedback'

let souk: TestSouk
let token: string
let otherToken: string
const unused: string[] = []

beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
  otherToken = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
  unused.push(...souk.demo.orders.eligible)
})

/** An eligible order that no other test has touched. */
const eligibleOrder = () => unused.pop() as string
const query = () => `?marketplaceIds=${souk.demo.marketplaceId}`
const post = (orderId: string, asToken = token) =>
  souk.post(`/solicitations/v1/orders/${orderId}/solicitations/${ACTION}${query()}`, { token: asToken, payload: {} })
const postFromConsole = (orderId: string, asToken = token) =>
  souk.post(`/console/v1/orders/${orderId}/reviewRequest${query()}`, { token: asToken })
const getFromConsole = (orderId: string) => souk.get(`/console/v1/orders/${orderId}/reviewRequest${query()}`, { token })
const isOffered = async (orderId: string) => {
  const response = await souk.get(`/solicitations/v1/orders/${orderId}${query()}`, { token })
  return response.json()._embedded.actions.length === 1
}

describe('createProductReviewAndSellerFeedbackSolicitation', () => {
  test('returns 201 with an empty object, and the action is no longer available', async () => {
    const orderId = eligibleOrder()
    const response = await post(orderId)
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({})
    expect(response.headers['content-type']).toMatch(/^application\/hal\+json/)
    expect(await isOffered(orderId)).toBe(false)
  })

  test('refuses a second request for the same order with 403 and reports that one was sent', async () => {
    const orderId = eligibleOrder()
    await post(orderId)
    expect(errorOf(await post(orderId))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      message: expect.stringContaining('not available for this amazonOrderId'),
      details: expect.stringContaining('already sent'),
    })
  })

  test('refuses the second request with 400 if configured', async () => {
    const lenient = await startTestSouk({ readings: { repeatSolicitation: 400 } })
    const lenientToken = await lenient.tokenFor(lenient.demo.refreshToken)
    const path = `/solicitations/v1/orders/${lenient.demo.orders.alreadySolicited}/solicitations/${ACTION}${query()}`
    expect(errorOf(await lenient.post(path, { token: lenientToken }))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining('already sent'),
    })
  })

  test('lets one of twenty simultaneous requests for an order succeed, and refuses the others', async () => {
    const orderId = eligibleOrder()
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(orderId)))
    const statuses = responses.map((response) => response.statusCode).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(403)])
  })

  test('lets one of two concurrent requests through the API and the console succeed', async () => {
    const orderId = eligibleOrder()
    const responses = await Promise.all([post(orderId), postFromConsole(orderId), post(orderId)])
    expect(responses.map((response) => response.statusCode).sort()).toEqual([201, 403, 403])
  })

  test.each([
    ['notDelivered', /not been delivered/],
    ['tooEarly', /too early/],
    ['tooLate', /too late/],
    ['optedOut', /opted out of review requests/],
    ['alreadySolicited', /already sent/],
  ] as const)('refuses an order that is %s, and says why', async (condition, reason) => {
    expect(errorOf(await post(souk.demo.orders[condition]))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringMatching(reason),
    })
  })

  test("returns 404 for an unknown order and for another seller's, and writes nothing", async () => {
    const orderId = eligibleOrder()
    expect(errorOf(await post('999-9999999-9999999')).status).toBe(404)
    expect(errorOf(await post(orderId, otherToken)).status).toBe(404)
    expect(await isOffered(orderId)).toBe(true)
  })

  test('refuses a body that is not JSON, and writes nothing', async () => {
    const orderId = eligibleOrder()
    const response = await souk.post(`/solicitations/v1/orders/${orderId}/solicitations/${ACTION}${query()}`, {
      token,
      headers: { 'content-type': 'application/json' },
      payload: '{"a":',
    })
    expect(errorOf(response)).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(await isOffered(orderId)).toBe(true)
  })
})

describe('requests from the seller web console', () => {
  test('mark the order in the console, and the API no longer offers the action', async () => {
    const orderId = eligibleOrder()
    expect((await getFromConsole(orderId)).json()).toMatchObject({ orderId, requested: false })
    const response = await postFromConsole(orderId)
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({ orderId, requested: true })
    expect((await getFromConsole(orderId)).json()).toMatchObject({ orderId, requested: true })
    expect(await isOffered(orderId)).toBe(false)
    expect(errorOf(await post(orderId)).status).toBe(403)
  })

  test('fail with "already sent" after a request through the API, though the console has no mark', async () => {
    const orderId = eligibleOrder()
    await post(orderId)
    expect((await getFromConsole(orderId)).json()).toMatchObject({ orderId, requested: false })
    expect(errorOf(await postFromConsole(orderId))).toMatchObject({
      status: 403,
      details: expect.stringContaining('already sent'),
    })
    expect((await getFromConsole(orderId)).json()).toMatchObject({ orderId, requested: false })
  })

  test('can be sent in a window that the console knows as soon as the order is delivered', async () => {
    const { window } = (await getFromConsole(souk.demo.orders.tooEarly)).json()
    expect(Date.parse(window.opensAt)).toBeGreaterThan(souk.clock.now().getTime())
    expect(Date.parse(window.closesAt)).toBeGreaterThan(Date.parse(window.opensAt))
    expect((await getFromConsole(souk.demo.orders.notDelivered)).json()).not.toHaveProperty('window')
  })

  test("return 404 for another seller's order", async () => {
    expect(errorOf(await postFromConsole(eligibleOrder(), otherToken)).status).toBe(404)
  })
})
