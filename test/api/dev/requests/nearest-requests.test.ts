import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { NOTIFICATIONS, startTestSouk, type TestRequest, type TestSouk } from '../../../support/souk.ts'

let souk: TestSouk
let token: string
let grantless: string
beforeAll(async () => {
  souk = await startTestSouk()
  token = await souk.tokenFor(souk.demo.refreshToken)
  grantless = await souk.grantlessToken(NOTIFICATIONS)
})

type Method = InjectOptions['method']

/** Sends a request that is refused, and returns the facts and the nearest request of its explanation. */
async function sendOnce(method: Method, path: string, request: TestRequest = {}) {
  const refused = await souk.send(method, path, { token, ...request })
  const { explanation } = await souk.requests.get(String(refused.headers['x-amzn-requestid']))
  const { nearest, facts } = explanation ?? {}
  if (!nearest) throw new Error(`There is no nearest request: ${JSON.stringify(explanation)}`)
  return { refused: refused.statusCode, facts, nearest }
}

/** Sends the nearest request, too. */
async function sendTwice(method: Method, path: string, request: TestRequest = {}) {
  const refused = await sendOnce(method, path, request)
  const { nearest } = refused
  const passed = await souk.send(nearest.method as Method, nearest.url, {
    token,
    ...request,
    headers: { ...request.headers, ...nearest.headers },
    ...(nearest.body !== undefined && { payload: nearest.body as object }),
  })
  return { ...refused, passed: passed.statusCode }
}

const ORDERS = '/orders/v0/orders'
const NEW_ORDERS = '/orders/2026-01-01/orders'
const REPORTS = '/reports/2021-06-30/reports'
const FEEDS = '/feeds/2021-06-30/feeds'
const CATALOG = '/catalog/2022-04-01/items'
const LISTINGS = '/listings/2021-08-01/items'
const TYPES = '/definitions/2020-09-01/productTypes'
const PRICES = '/products/pricing/v0'

describe('the nearest request of a refused one passes', () => {
  test.each<[what: string, path: string]>([
    ['without a period', `${ORDERS}?MarketplaceIds={m}`],
    ['with a time in the future', `${ORDERS}?MarketplaceIds={m}&CreatedAfter=2099-01-01T00:00:00Z`],
    [
      'with two periods',
      `${ORDERS}?MarketplaceIds={m}&CreatedAfter=2026-01-01T00:00:00Z&LastUpdatedAfter=2026-01-01T00:00:00Z`,
    ],
    ['with a false token', `${NEW_ORDERS}?paginationToken=x`],
    ['with a false token and a period', `${NEW_ORDERS}?paginationToken=x&createdAfter=2026-01-01T00:00:00Z`],
    ['without types', REPORTS],
    ['with a false token', `${REPORTS}?nextToken=x`],
    [
      'that begins after its end',
      `${FEEDS}?feedTypes=A&createdSince=2026-02-01T00:00:00Z&createdUntil=2026-01-01T00:00:00Z`,
    ],
    ['without keywords', `${CATALOG}?marketplaceIds={m}`],
    [
      'with two ways to search',
      `${CATALOG}?marketplaceIds={m}&identifiers=1&identifiersType=EAN&keywords=shoe&brandNames=x`,
    ],
    ['without the type of its identifiers', `${CATALOG}?marketplaceIds={m}&identifiers=1`],
    ['without the seller of its SKUs', `${CATALOG}?marketplaceIds={m}&identifiers=1&identifiersType=SKU`],
    ['with a false token', `${CATALOG}?marketplaceIds={m}&keywords=shoe&pageToken=x`],
    ['without a marketplace', `${LISTINGS}/{s}`],
    ['with two selectors', `${LISTINGS}/{s}?marketplaceIds={m}&variationParentSku=A&packageHierarchySku=B`],
    ['with half a selector', `${LISTINGS}/{s}?marketplaceIds={m}&identifiersType=SKU`],
    ['with a marketplace of another form', `${LISTINGS}/{s}?marketplaceIds=a1pa6795ukmfr9`],
    ['with a locale of another form', `${LISTINGS}/{s}?marketplaceIds={m}&issueLocale=de-DE`],
    ['with two ways to search', `${TYPES}?marketplaceIds={m}&keywords=a&itemName=b`],
    ['with an old version', `${TYPES}/SHOES?marketplaceIds={m}&productTypeVersion=OLD`],
    ['of a type that does not exist', `${TYPES}/SHOE?marketplaceIds={m}`],
    ['of an item that does not exist', `${PRICES}/items/B0NOTHING0/offers?MarketplaceId={m}&ItemCondition=New`],
    ['of a listing that does not exist', `${PRICES}/listings/a%2Cb/offers?MarketplaceId={m}&ItemCondition=New`],
    ['with items of the other type', `${PRICES}/price?MarketplaceId={m}&ItemType=Asin&Skus=SOUK-SHOE-001`],
    ['with an id that has a comma', `${ORDERS}/1%2C2`],
    ['without an id', `${ORDERS}/`],
    ['with the end of a period only', `${ORDERS}?MarketplaceIds={m}&CreatedBefore=2025-06-01T00:00:00Z`],
    ['with the end of the other period only', `${ORDERS}?MarketplaceIds={m}&LastUpdatedBefore=2025-06-01T00:00:00Z`],
    [
      'with the ends of both periods',
      `${ORDERS}?MarketplaceIds={m}&CreatedBefore=2025-06-01T00:00:00Z&LastUpdatedBefore=2025-06-01T00:00:00Z`,
    ],
    ['with an end in the future only', `${ORDERS}?MarketplaceIds={m}&CreatedBefore=2099-01-01T00:00:00Z`],
    ['with an end before all orders', `${ORDERS}?MarketplaceIds={m}&CreatedBefore=0001-01-01T00:00:00Z`],
    [
      'from the future to the past',
      `${ORDERS}?MarketplaceIds={m}&CreatedAfter=2099-01-01T00:00:00Z&CreatedBefore=2025-12-01T00:00:00Z`,
    ],
    [
      'with both ends in the future',
      `${ORDERS}?MarketplaceIds={m}&CreatedAfter=2099-01-01T00:00:00Z&CreatedBefore=2099-02-01T00:00:00Z`,
    ],
    ['with a false token and an end', `${NEW_ORDERS}?paginationToken=x&lastUpdatedBefore=2025-06-01T00:00:00Z`],
    ['with a NUL', `${LISTINGS}/{s}?marketplaceIds={m}&a=1&a=2&b=x?y%0%000`],
    ['with half a time', `${LISTINGS}/{s}?marketplaceIds={m}&createdAfter=2026`],
  ])('%s: %s', async (_what, path) => {
    const { marketplaceId, sellerId } = souk.demo
    const { refused, passed } = await sendTwice('GET', path.replace('{m}', marketplaceId).replace('{s}', sellerId))
    expect([refused >= 400, passed]).toEqual([true, 200])
  })

  test('of a report of an unknown type, from its end to its beginning', async () => {
    const payload = { reportType: 'GET_MERCHANT_LISTING_DATA', marketplaceIds: [souk.demo.marketplaceId] }
    expect(await sendTwice('POST', REPORTS, { payload })).toMatchObject({ refused: 400, passed: 202 })
    const window = { dataStartTime: '2026-02-01T00:00:00Z', dataEndTime: '2026-01-01T00:00:00Z' }
    const wrong = { ...payload, reportType: 'GET_MERCHANT_LISTINGS_DATA', ...window }
    expect(await sendTwice('POST', REPORTS, { payload: wrong })).toMatchObject({ refused: 400, passed: 202 })
  })

  test('of a report schedule in the past, and of one that does not exist', async () => {
    const path = '/reports/2021-06-30/schedules'
    const payload = {
      reportType: 'GET_MERCHANT_LISTINGS_DATA',
      marketplaceIds: [souk.demo.marketplaceId],
      period: 'P1D',
      nextReportCreationTime: '2020-01-01T00:00:00Z',
    }
    expect(await sendTwice('POST', path, { payload })).toMatchObject({ refused: 400, passed: 201 })
    expect(await sendTwice('GET', `${path}/1`)).toMatchObject({ refused: 404, passed: 200 })
  })

  test('of a subscription with a wrong filter and version, and of one that does not exist', async () => {
    const destination = {
      name: 'one',
      resourceSpecification: { sqs: { arn: 'arn:aws:sqs:us-east-1:000000000000:near' } },
    }
    const created = await souk.post('/notifications/v1/destinations', { token: grantless, payload: destination })
    const { destinationId } = created.json().payload
    const path = '/notifications/v1/subscriptions/ANY_OFFER_CHANGED'
    const body = { payloadVersion: '1.0', destinationId }
    const eventFilter = { eventFilterType: 'ORDER_CHANGE' }
    const wrong = { ...body, processingDirective: { eventFilter } }
    expect(await sendTwice('POST', path, { payload: wrong })).toMatchObject({ refused: 400, passed: 200 })
    expect(await sendTwice('GET', `${path}?payloadVersion=9`)).toMatchObject({ refused: 400, passed: 200 })
    expect(await sendTwice('GET', `${path}/1`)).toMatchObject({ refused: 404, passed: 200 })
    expect(await sendTwice('GET', `${path}/1`, { token: grantless })).toMatchObject({ refused: 404, passed: 200 })
  })

  test('of a subscription of another seller, without the id of that one', async () => {
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const response = await souk.get('/notifications/v1/subscriptions/ANY_OFFER_CHANGED/1', { token: other })
    const { explanation } = await souk.requests.get(String(response.headers['x-amzn-requestid']))
    expect(explanation).toMatchObject({
      facts: { nearest: null },
      nearest: { first: 'POST /notifications/v1/subscriptions/{notificationType}' },
    })
  })

  test('of a token in the header of other APIs is with it in the right one', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const { refused, facts, nearest } = await sendOnce('GET', ORDERS, { token: undefined as never, headers })
    expect(refused).toBe(403)
    expect(facts).toEqual({ 'x-amz-access-token': null, sentIn: 'the header Authorization' })
    expect(nearest.headers).toEqual({ 'x-amz-access-token': '<the token of the header Authorization>' })
  })

  test('of a wrong client secret says whether the client id is known, and what to send in its place', async () => {
    const { clientId, refreshToken } = souk.demo
    const payload = {
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: 'wrong-and-secret',
      refresh_token: refreshToken,
    }
    const wrongSecret = await sendOnce('POST', '/auth/o2/token', { payload })
    expect(wrongSecret.facts).toEqual({ client_id: clientId, isKnownClientId: true, isSecretOfClient: false })
    expect(wrongSecret.nearest.body).toMatchObject({ client_id: clientId, client_secret: '<its client secret>' })
    const wrongId = await sendOnce('POST', '/auth/o2/token', { payload: { ...payload, client_id: 'wrong' } })
    expect(wrongId.facts).toMatchObject({ client_id: 'wrong', isKnownClientId: false })
    expect(wrongId.nearest.body).toMatchObject({ client_id: '<the client id>', client_secret: '<its client secret>' })
    for (const secret of [refreshToken, 'wrong-and-secret'])
      expect(JSON.stringify([wrongSecret, wrongId])).not.toContain(secret)
  })

  test('of a client id and secret in a header that cannot be decoded is the same with another header', async () => {
    const headers = { authorization: 'Basic eA==' }
    const payload = { grant_type: 'client_credentials', scope: NOTIFICATIONS }
    const { nearest, refused } = await sendOnce('POST', '/auth/o2/token', { payload, headers })
    expect(nearest.headers).toEqual({ authorization: 'Basic <client id and client secret>' })
    expect(refused).toBe(401)
  })

  test('of a feed with a mistyped document has the unused one of the application, and none of another seller', async () => {
    const { feedDocumentId, url } = (
      await souk.post('/feeds/2021-06-30/documents', { token, payload: { contentType: 'application/json' } })
    ).json()
    const mistyped = `${feedDocumentId.slice(0, -2)}xx`
    const payload = {
      feedType: 'JSON_LISTINGS_FEED',
      marketplaceIds: [souk.demo.marketplaceId],
      inputFeedDocumentId: mistyped,
    }
    const found = await sendTwice('POST', FEEDS, { payload })
    expect(found.nearest.body).toMatchObject({ inputFeedDocumentId: feedDocumentId })
    const notUploaded = await sendTwice('POST', FEEDS, { payload: { ...payload, inputFeedDocumentId: feedDocumentId } })
    expect(notUploaded).toMatchObject({ refused: 400, nearest: { first: expect.stringContaining('PUT the feed') } })
    await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })
    const other = await souk.tokenFor(souk.demo.otherSeller.refreshToken)
    const ofOther = await sendTwice('POST', FEEDS, { token: other, payload })
    expect(ofOther.facts).toMatchObject({ inputFeedDocumentId: mistyped, nearest: null })
    expect(ofOther.nearest.first).toContain('POST /feeds/2021-06-30/documents')
    expect(await sendTwice('POST', FEEDS, { payload })).toMatchObject({ refused: 400, passed: 202 })
  })

  test('of a search without a period has that of the last 30 days, and names both ways to begin one', async () => {
    const start = new Date(souk.clock.now().getTime() - 120_000 - 30 * 86_400_000).toISOString()
    const { facts, nearest } = await sendTwice('GET', `${ORDERS}?MarketplaceIds=${souk.demo.marketplaceId}`)
    expect(facts).toEqual({ CreatedAfter: null, LastUpdatedAfter: null })
    expect(nearest.url).toContain(`CreatedAfter=${start}`)
    const future = `${ORDERS}?MarketplaceIds=${souk.demo.marketplaceId}&LastUpdatedAfter=2099-01-01T00:00:00Z`
    expect((await sendTwice('GET', future)).nearest.url).toContain(`LastUpdatedAfter=${start}`)
  })

  test('of a URL with a NUL is the same in all else', async () => {
    const { nearest } = await sendOnce('GET', `${ORDERS}/5%00?a=1&a=2%00&b=x?y`)
    expect(nearest.url).toBe(`${ORDERS}/5?a=1&a=2&b=x?y`)
  })

  test.each([
    ['%ff', '%25ff'],
    ['5%', '5%25'],
    ['%C3%A4%', '%C3%A4%25'],
    ['%zz%20', '%25zz%20'],
  ])('of a path with %s, which cannot be decoded, has %s there', async (sent, proposed) => {
    const { nearest } = await sendTwice('GET', `${ORDERS}/${sent}`)
    expect(nearest.url).toBe(`${ORDERS}/${proposed}`)
    const { errors } = (await souk.get(nearest.url, { token })).json()
    expect(JSON.stringify(errors)).not.toContain('percent-encoding')
  })

  test('of a body with a percent sign in a key', async () => {
    const payload = {
      reportType: 'GET_MERCHANT_LISTINGS_DATA',
      marketplaceIds: [souk.demo.marketplaceId],
      reportOptions: { '5%': 1, 'a/b~c%20': 2 },
    }
    const { refused, passed, nearest } = await sendTwice('POST', REPORTS, { payload })
    expect([refused, passed]).toEqual([400, 202])
    expect(nearest.body).toMatchObject({ reportOptions: { '5%': '1', 'a/b~c%20': '2' } })
  })

  test.each([
    ['GET', ORDERS, 'MarketplaceIds'],
    ['GET', '/listings/2021-08-01/items/A1SOUKDEMOSELL/SOUK-SHOE-001', 'marketplaceIds'],
    [
      'POST',
      '/solicitations/v1/orders/701-0000000-0000001/solicitations/productReviewAndSellerFeedback',
      'marketplaceIds',
    ],
  ] as const)('of a request without a marketplace has one of the demo seller: %s %s', async (method, path, name) => {
    const { refused, nearest } = await sendOnce(method, path)
    expect(refused).toBe(400)
    expect(nearest.url).toBe(`${path}?${name}=${souk.demo.marketplaceId}`)
  })

  test('of a mistyped marketplace is with the one of the seller that is most like it', async () => {
    for (const marketplaceId of ['A1PA6795UKMFR9', 'ATVPDKIKX0DER']) {
      const mistyped = `${marketplaceId.slice(0, -2)}ZZ`
      const { refused, nearest } = await sendTwice(
        'GET',
        `${LISTINGS}/${souk.demo.sellerId}?marketplaceIds=${mistyped}`,
      )
      expect(refused).toBe(400)
      expect(nearest.url).toContain(`marketplaceIds=${marketplaceId}`)
    }
  })

  test('of a form for a token, as JSON and without its secrets', async () => {
    const { clientId, clientSecret, refreshToken } = souk.demo
    const form = {
      grant_type: 'refresh',
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    }
    const response = await souk.post('/auth/o2/token', {
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const { explanation } = await souk.requests.get(String(response.headers['x-amzn-requestid']))
    expect(explanation?.nearest).toMatchObject({
      headers: { 'content-type': 'application/json' },
      body: { ...form, grant_type: 'refresh_token', client_secret: '[redacted]', refresh_token: expect.any(String) },
    })
    expect(JSON.stringify(explanation)).not.toContain(clientSecret)
    expect(JSON.stringify(explanation)).not.toContain(refreshToken)
  })

  test('of a report that is done is none, and says why', async () => {
    const payload = { reportType: 'GET_MERCHANT_LISTINGS_DATA', marketplaceIds: [souk.demo.marketplaceId] }
    const { reportId } = (await souk.post(REPORTS, { token, payload })).json()
    await souk.idle()
    const response = await souk.delete(`${REPORTS}/${reportId}`, { token })
    const { explanation } = await souk.requests.get(String(response.headers['x-amzn-requestid']))
    expect(explanation).toMatchObject({
      facts: { processingStatus: 'DONE' },
      noNearest: expect.stringContaining('queue'),
    })
    expect(explanation).not.toHaveProperty('nearest')
  })
})
