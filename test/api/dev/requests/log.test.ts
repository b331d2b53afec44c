import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LoggedRequest, LoggedRequestDetail, LoggedRequests } from '../../../../src/index.ts'
import { SystemClock } from '../../../../src/platform/clock/system-clock.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../../support/souk.ts'

const HOUR = 3_600_000

let souk: TestSouk
let token: string
let listing: string
beforeAll(async () => {
  souk = await startTestSouk({ rates: 'documented' })
  token = await souk.tokenFor(souk.demo.refreshToken)
  listing = `/listings/2021-08-01/items/${souk.demo.sellerId}/${souk.demo.skus[0]}?marketplaceIds=${souk.demo.marketplaceId}`
})
beforeEach(async () => {
  await souk.requests.clear()
})

/** As a program without the package reads it. */
async function list(query = ''): Promise<LoggedRequests> {
  const response = await fetch(`${souk.url}/_souk/requests${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as LoggedRequests
}
const json = { 'content-type': 'application/json' }
const get = async (url: string) => (await (await fetch(url)).json()) as LoggedRequestDetail

describe('the request log', () => {
  test('has each request with its response, and the response links to it', async () => {
    const response = await fetch(souk.url + listing, { headers: { 'x-amz-access-token': token } })
    const body = await response.text()
    const logged = await get(response.headers.get('x-souk-request-url') as string)
    expect(logged).toMatchObject({
      id: response.headers.get('x-amzn-requestid'),
      url: response.headers.get('x-souk-request-url'),
      operation: 'getListingsItem',
      method: 'GET',
      query: `marketplaceIds=${souk.demo.marketplaceId}`,
      status: 200,
      outcome: 'completed',
      time: souk.clock.now().toISOString(),
      seller: souk.demo.sellerId,
      subjects: { sku: [souk.demo.skus[0]] },
      quota: { perSecond: 5, burst: 10, left: 9 },
      response: { body, bytes: Buffer.byteLength(body) },
    })
    expect(logged.response?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-amzn-requestid': logged.id,
      'x-souk-request-url': logged.url,
    })
    expect(logged.milliseconds).toBeGreaterThan(0)
    expect(logged.explanation).toBeUndefined()
  })

  test('has the time of the marketplace and that of the system', async () => {
    const clock = new SystemClock()
    const own = await startTestSouk({ clock })
    const before = Date.now()
    clock.advance(HOUR)
    await own.get('/unknown')
    clock.freeze()
    await own.get('/unknown')
    const [frozen, running] = (await own.requests.list()).requests as [LoggedRequest, LoggedRequest]
    const startedAt = Date.parse(running.startedAt)
    expect(startedAt).toBeGreaterThanOrEqual(before)
    expect(startedAt).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(running.time) - startedAt).toBe(HOUR)
    expect(frozen.time).toBe(clock.now().toISOString())
  })

  test('has requests that were refused before they reached an operation, and unknown paths', async () => {
    await souk.get(listing)
    await souk.get('/lisings/2021-08-01/items')
    const { requests } = await list()
    expect(requests.map(({ operation, status, error }) => [operation, status, error?.code])).toEqual([
      ['unknown', 404, 'NotFound'],
      ['getListingsItem', 403, 'Unauthorized'],
    ])
  })

  test('has no calls to the control plane, of probes and of the documentation', async () => {
    for (const path of ['/_souk/clock', '/_souk/unknown', '/healthz', '/docs/', '/']) {
      expect((await souk.get(path)).headers['x-souk-request-url']).toBeUndefined()
    }
    expect((await list()).requests).toEqual([])
  })

  test('has the bodies as they were sent, also those that are not JSON', async () => {
    const payload = '{ "grant_type": "refresh_token", "client_id": '
    await souk.post('/auth/o2/token', { payload, headers: { 'content-type': 'application/json' } })
    const [{ url }] = (await list()).requests as [LoggedRequest]
    expect((await get(url)).request).toMatchObject({ body: payload, bytes: payload.length })
  })

  test('has each byte of a body that is not text', async () => {
    const payload = Buffer.from([0x7b, 0x22, 0xc3, 0xa9, 0xff, 0x22])
    await souk.send('POST', '/auth/o2/token', { payload, headers: json })
    const [{ url }] = (await list()).requests as [LoggedRequest]
    expect((await get(url)).request).toMatchObject({ body: payload.toString('utf8'), bytes: payload.length })
  })

  test('cuts long bodies and has their length', async () => {
    const payload = JSON.stringify({ text: 'a'.repeat(100_000) })
    const response = await souk.post('/feeds/2021-06-30/feeds', { token, payload, headers: json })
    const { request } = await souk.requests.get(String(response.headers['x-amzn-requestid']))
    expect(request).toMatchObject({ bytes: payload.length, isCut: true })
    expect(request.body).toHaveLength(65_536)
  })

  test('shows no token or client secret that was sent as an id or in a path, in no view', async () => {
    const { clientSecret } = souk.demo
    await fetch(`${souk.url}/feeds/2021-06-30/feeds`, {
      method: 'POST',
      headers: { ...json, 'x-amz-access-token': token },
      body: JSON.stringify({ feedType: token, marketplaceIds: [], inputFeedDocumentId: clientSecret }),
    })
    await fetch(`${souk.url}/unknown/${clientSecret}/${encodeURIComponent(encodeURIComponent(token))}`)
    const { requests } = await list()
    const views = [requests, await souk.requests.har(), await Promise.all(requests.map(({ url }) => get(url)))]
    const text = JSON.stringify(views)
    expect(requests).toHaveLength(2)
    expect(text).toContain('amzn1.oa2-cs.v1.[redacted]')
    for (const secret of [clientSecret, token]) expect(text).not.toContain(secret.split(/[|.]/).at(-1))
  })

  test.each(['utf-16le', 'utf-16be'])('shows no secret in a body in %s, but the rest of it', async (encoding) => {
    const { refreshToken } = souk.demo
    const secret = String(refreshToken.split('|')[1])
    for (const mark of ['', '\ufeff']) {
      const body = Buffer.from(`${mark}refresh_token=${refreshToken}&client_id=é`, 'utf16le')
      const payload = encoding === 'utf-16le' ? body : body.swap16()
      const { headers } = await souk.post('/auth/o2/token', { payload, headers: json })
      const { request } = await souk.requests.get(String(headers['x-amzn-requestid']))
      expect(request.body).toBe('refresh_token=Atzr|[redacted]&client_id=é')
      expect(JSON.stringify(await souk.requests.har())).not.toContain([...secret].join('\\u0000'))
    }
  })

  test('does not say by its filters how a secret in a path begins', async () => {
    const { clientSecret } = souk.demo
    await fetch(`${souk.url}/unknown/${clientSecret}`)
    const found = async (path: string) => (await souk.requests.list({ path })).requests.length
    expect(await found('/unknown/amzn1.oa2-cs.v1.')).toBe(1)
    expect(await found(`/unknown/${clientSecret.slice(0, -1)}`)).toBe(0)
  })

  test('shows requests with words of secrets, and with a bar in a SKU, as they are', async () => {
    const headers = { ...json, 'x-amz-access-token': token }
    const { sellerId, marketplaceId } = souk.demo
    await fetch(`${souk.url}/listings/2021-08-01/items/${sellerId}/BATCH%7C42?marketplaceIds=${marketplaceId}`, {
      headers,
    })
    const body = JSON.stringify({ feedType: 'my secret=', marketplaceIds: [], inputFeedDocumentId: 5 })
    await fetch(`${souk.url}/feeds/2021-06-30/feeds`, { method: 'POST', headers, body })
    const { requests } = await list()
    expect(requests[1]).toMatchObject({
      path: expect.stringContaining('/BATCH%7C42'),
      subjects: { sku: ['BATCH|42'] },
      error: { message: expect.stringContaining('BATCH|42') },
    })
    expect(await get(requests[0]?.url ?? '')).toMatchObject({ status: 400, request: { body }, explanation: {} })
  })

  test('shows no token, secret or signature', async () => {
    const { refreshToken, clientSecret, operatorKey } = souk.demo
    await souk.tokenFor(refreshToken)
    await souk.send('POST', '/auth/o2/token', {
      payload: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'hidden-1',
        client_secret: clientSecret,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    // A wrong path, at which the code stays valid.
    const exchange = { grant_type: 'authorization_code', code: 'hidden-6' }
    await souk.post(`/auth/o2/tokens?code=hidden-7`, { payload: exchange })
    await souk.get(listing, {
      token,
      headers: { authorization: 'AWS4-HMAC-SHA256 Signature=hidden-2', cookie: 'hidden-3' },
    })
    await souk.get('/operator/v1/sellers', { headers: souk.operator })
    await souk.get('/documents/reports/1?X-Amz-Signature=hidden-4&X-Amz-Credential=hidden-5')
    const authorization = `/operator/v1/authorizations/${souk.demo.sellerId}/${souk.demo.applicationId}`
    const { code } = (await souk.post(`${authorization}/code`, { headers: souk.operator })).json()
    expect(code).toEqual(expect.any(String))
    const { requests } = await list()
    expect(requests).toHaveLength(7)
    const details = await Promise.all(requests.map(({ url }) => get(url)))
    const shown = JSON.stringify([details, await (await fetch(`${souk.url}/_souk/requests.har`)).json()])
    for (const secret of ['hidden-', clientSecret, operatorKey, token, refreshToken, code])
      expect(shown).not.toContain(secret)
    expect(details.find(({ operation }) => operation === 'getListingsItem')?.request.headers).toMatchObject({
      'x-amz-access-token': 'Atza|[redacted]',
      authorization: 'AWS4-HMAC-SHA256 [redacted]',
    })
    expect((await list(`?q=${encodeURIComponent(clientSecret)}`)).requests).toEqual([])
  })

  test('distinguishes the grants of requests for tokens', async () => {
    const { refreshToken } = souk.demo
    for (const refresh_token of [refreshToken, 'another', refreshToken]) {
      await souk.post('/auth/o2/token', { payload: { grant_type: 'refresh_token', refresh_token } })
    }
    await souk.get(listing, { token })
    const [none, first, second, third] = (await list()).requests.map(({ grant }) => grant)
    expect(none).toBeUndefined()
    expect(first).toMatch(/^[\w-]{12}$/)
    expect(third).toBe(first)
    expect(second).not.toBe(first)
  })

  test('is filtered by what a request is and is about', async () => {
    const { marketplaceId, sellerId, skus, orders } = souk.demo
    await souk.get(listing, { token })
    await souk.get(listing.replace(String(skus[0]), String(skus[1])), { token })
    await souk.get(`/orders/v0/orders/${orders.eligible[0]}`, { token })
    await souk.get(`/orders/v0/orders/${orders.eligible[0]}`)
    const count = async (query: string) => (await list(`?${query}`)).requests.length
    expect(await count('operation=getListingsItem')).toBe(2)
    expect(await count(`sku=${skus[1]}`)).toBe(1)
    expect(await count(`orderId=${orders.eligible[0]}`)).toBe(2)
    expect(await count(`orderId=${orders.eligible[0]}&status=403`)).toBe(1)
    expect(await count('status=4xx')).toBe(1)
    expect(await count(`seller=${sellerId}`)).toBe(3)
    expect(await count('path=/orders/v0')).toBe(2)
    expect(await count('method=post')).toBe(0)
    expect(await count(`q=${marketplaceId.toLowerCase()}`)).toBe(3)
  })

  test.each(['', '/stream', '.har'])(
    'names the operation that may have been meant by an unknown one: /_souk/requests%s',
    async (path) => {
      const refused = errorOf(await souk.get(`/_souk/requests${path}?operation=getOrdr`))
      expect(refused).toMatchObject({ status: 400, details: expect.stringContaining('Did you mean getOrder?') })
      expect(() => souk.requests.stream({ operation: 'getOrdr' })).toThrow('Did you mean getOrder?')
    },
  )

  test('is read in pages, newest first, and from a time or a request on', async () => {
    for (let count = 0; count < 3; count++) await souk.get(listing, { token })
    souk.clock.advance(1000)
    const last = await souk.get(listing, { token })
    const all = (await list()).requests
    expect(all.map(({ id }) => id)[0]).toBe(last.headers['x-amzn-requestid'])
    const first = await list('?limit=3')
    expect(first.requests).toEqual(all.slice(0, 3))
    expect((await list(`?limit=3&cursor=${first.nextCursor}`)).requests).toEqual(all.slice(3))
    expect((await list(`?since=${all[0]?.time}`)).requests).toHaveLength(1)
    expect((await list(`?since=${all[2]?.id}`)).requests).toEqual(all.slice(0, 2))
  })

  test.each(['limit=0', 'limit=1000', 'status=99', 'status=abc', 'since=yesterday', 'cursor=abc', 'sellr=A', 'sku='])(
    'refuses %s',
    async (query) => {
      expect(errorOf(await souk.get(`/_souk/requests?${query}`)).status).toBe(400)
    },
  )

  test('is cleared by a call, a reset and a restore', async () => {
    const own = await startTestSouk()
    const call = () => own.get('/orders/v0/orders')
    const count = async () => (await own.requests.list()).requests.length
    await own.snapshot('start').catch(() => {})
    for (const clear of [() => own.delete('/_souk/requests'), () => own.reset()]) {
      await call()
      expect(await count()).toBe(1)
      await clear()
      expect(await count()).toBe(0)
    }
    expect((await own.requests.list()).cleared).toBe(2)
  })

  test('keeps the last requests only, and counts the others', async () => {
    const own = await startTestSouk({ requestLog: 2 })
    for (let count = 1; count <= 5; count++) await own.get(`/unknown/${count}`)
    const { requests, dropped } = await own.requests.list()
    expect(requests.map(({ path }) => path)).toEqual(['/unknown/5', '/unknown/4'])
    expect(dropped).toBe(3)
  })

  test('can be off, and responses then link to nothing', async () => {
    const own = await startTestSouk({ requestLog: 0 })
    expect((await own.get('/orders/v0/orders')).headers['x-souk-request-url']).toBeUndefined()
    for (const path of ['/_souk/requests', '/_souk/requests/1', '/_souk/requests.har', '/_souk/requests/stream']) {
      expect(errorOf(await own.get(path))).toMatchObject({ status: 404, message: 'The request log is off.' })
    }
  })

  test('says that a client left before its response', async () => {
    const { hostname, port } = new URL(souk.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    // The rest of the body never comes.
    socket.write(
      `POST /auth/o2/token HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    )
    await expect.poll(async () => (await list()).requests[0]?.outcome).toBe('running')
    socket.destroy()
    await expect.poll(async () => (await list()).requests[0]?.outcome).not.toBe('running')
    const { requests } = await list()
    expect(requests).toMatchObject([{ operation: 'createToken', outcome: 'clientGone' }])
  })

  test('is exported as an HTTP Archive', async () => {
    await souk.get(listing, { token })
    await souk.get('/unknown')
    const { log } = (await (await fetch(`${souk.url}/_souk/requests.har?status=200`)).json()) as {
      log: { version: string; entries: { request: object; response: object }[] }
    }
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Souk' } })
    expect(log.entries).toHaveLength(1)
    expect(log.entries[0]).toMatchObject({
      request: { method: 'GET', queryString: [{ name: 'marketplaceIds', value: souk.demo.marketplaceId }] },
      response: { status: 200, content: { mimeType: 'application/json; charset=utf-8' } },
    })
  })

  test('is exported with the URLs that clients used: http here, https at the hosts of the vendor and with TLS', async () => {
    const secure = await startTestSouk({ tls: true })
    const { certificate: ca } = await secure.localAuthority()
    const host = 'sellingpartnerapi-na.amazon.com'
    await fetch(`${secure.url}/plain`)
    await secure.get('/redirected', { headers: { host } })
    const request = https.get(`${secure.tlsUrl}/encrypted`, { ca, servername: 'localhost' })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await response.resume().toArray()
    const har = (await (await fetch(`${secure.url}/_souk/requests.har`)).json()) as {
      log: { entries: { request: { url: string } }[] }
    }
    expect(har.log.entries.map(({ request: { url } }) => url)).toEqual([
      `${secure.url}/plain`,
      `https://${host}/redirected`,
      `${secure.tlsUrl}/encrypted`,
    ])
  })
})
