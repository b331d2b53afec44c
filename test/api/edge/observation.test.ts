import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { buildOrder } from '../../support/orders.ts'
import { probeRoutes } from '../../support/probe-routes.ts'
import { putResources } from '../../support/seller-client.ts'
import { startTestSouk } from '../../support/souk.ts'

async function startLogged() {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const souk = await startTestSouk({ logger: pino({ level: 'trace' }, sink), extraRoutes: [probeRoutes] })
  const token = await souk.tokenFor(souk.demo.refreshToken)
  // The test support reads the explanation of each refused request.
  const entries = () => lines.map((line) => JSON.parse(line)).filter(({ operation }) => operation !== 'getRequest')
  return { souk, token, lines, entries }
}

describe('the log', () => {
  test('has one line for a request, with operation, seller, application, status and time', async () => {
    const { souk, token, lines, entries } = await startLogged()
    lines.length = 0
    const response = await souk.get('/sellers/v1/account?x=1', { token })
    expect(entries()).toEqual([
      expect.objectContaining({
        operation: 'getAccount',
        seller: souk.demo.sellerId,
        application: souk.demo.applicationId,
        status: 200,
        path: '/sellers/v1/account',
        milliseconds: expect.any(Number),
        requestId: response.headers['x-amzn-requestid'],
      }),
    ])
  })

  test('never contains a token or a secret, whatever error occurs', async () => {
    const { souk, token, lines } = await startLogged()
    const { clientId, clientSecret, refreshToken, operatorKey, marketplaceId } = souk.demo
    await souk.post('/auth/o2/token', {
      payload: {
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: 'Atzr|wrong-secret',
      },
    })
    await souk.get('/sellers/v1/account', { token: 'Atza|stolen-secret' })
    await souk.get('/probe/broken', { token })
    await souk.get(`/solicitations/v1/orders/%zz?marketplaceIds=${marketplaceId}`, { token })
    await souk.put('/operator/v1/orders', { headers: souk.operator, payload: { orders: 'wrong' } })
    const json = { 'content-type': 'application/json' }
    // JSON.parse quotes the text around an error.
    await souk.post('/auth/o2/token', { headers: json, payload: '{"client_secret":"in-broken-json}' })
    await souk.post('/auth/o2/token', { headers: json, payload: '{"a":"b"in-broken-json' })
    await souk.put('/operator/v1/orders', {
      headers: { ...souk.operator, ...json },
      payload: '{"buyer":in-broken-json',
    })
    await souk.get('/documents/a?X-Amz-Credential=in-query&X-Amz-Signature=in-query&X-Amz-Security-Token=in-query')
    await souk.get('/auth/o2/token?refresh_token=Atzr|in-query&client_secret=in-query')
    await souk.get(`/sellers/v1/account?access_token=${token}`)
    await souk.get(`/nowhere?x=${encodeURIComponent(token)}`)
    const log = lines.join('')
    const secrets = [token, encodeURIComponent(token), clientSecret, refreshToken, operatorKey]
    for (const secret of [...secrets, 'Atzr|wrong-secret', 'Atza|stolen-secret', 'in-query', 'in-broken']) {
      expect(log).not.toContain(secret)
    }
  })

  test('never contains the address of a buyer, also if the page of a search for it is refused', async () => {
    const { souk, token, lines } = await startLogged()
    const email = 'ada@buyer.example'
    const orders = [1, 2].map((number) =>
      buildOrder(souk.clock.now(), {
        orderId: `960-0000000-000000${number}`,
        sellerId: souk.demo.sellerId,
        buyer: { email },
      }),
    )
    await putResources(souk, 'orders', orders)
    const marketplace = `MarketplaceIds=${souk.demo.marketplaceId}`
    const query = `${marketplace}&CreatedAfter=2020-01-01T00:00:00Z&MaxResultsPerPage=1&BuyerEmail=${email}`
    const { NextToken } = (await souk.get(`/orders/v0/orders?${query}`, { token })).json().payload
    const next = `NextToken=${encodeURIComponent(NextToken)}`
    expect((await souk.get(`/orders/v0/orders?${marketplace}&${next}&MaxResultsPerPage=0`, { token })).statusCode).toBe(
      400,
    )
    const log = lines.join('')
    expect(log).toContain('NextToken=')
    for (const [logged] of log.matchAll(/[\w@.-]{8,}/g)) {
      expect(logged + Buffer.from(logged, 'base64url').toString()).not.toContain(email)
    }
  })

  test('has a warning for a refused request, with query, code, message and reason', async () => {
    const { souk, token, lines, entries } = await startLogged()
    lines.length = 0
    const path = `/listings/2021-08-01/items/${souk.demo.sellerId}/A`
    const payload = { productType: 'SHOES', patches: [{ op: 'paint', path: '/attributes/color', value: [] }] }
    await souk.send('PATCH', `${path}?marketplaceIds=${souk.demo.marketplaceId}`, { token, payload })
    expect(entries()).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'request',
        operation: 'patchListingsItem',
        status: 400,
        path,
        query: `marketplaceIds=${souk.demo.marketplaceId}`,
        code: 'InvalidInput',
        message: 'Request has missing or invalid parameters and cannot be parsed.',
        reason: expect.stringMatching(/^patches\[0\]\.op must be one of add, /),
      }),
    ])
  })

  test('contains the reason of every refusal', async () => {
    const { souk, token, lines, entries } = await startLogged()
    const refused: [string, () => Promise<unknown>, object][] = [
      ['without a token', () => souk.get('/sellers/v1/account'), { status: 403, code: 'Unauthorized' }],
      ['at an unknown path', () => souk.get('/nowhere?a=b'), { status: 404, code: 'NotFound', query: 'a=b' }],
      ['by a wrong method', () => souk.delete('/sellers/v1/account'), { status: 405, code: 'MethodNotAllowed' }],
      ['before there is a route', () => souk.get('/a/%zz?b=c', { token }), { status: 400, query: 'b=c' }],
      [
        'at the token endpoint',
        () => souk.post('/auth/o2/token', { payload: { grant_type: 'x' } }),
        { status: 400, code: 'unsupported_grant_type', message: expect.stringContaining('refresh_token') },
      ],
      ['at a document URL', () => souk.get('/documents/a?b=c'), { status: 403, code: 'AccessDenied' }],
    ]
    for (const [where, send, expected] of refused) {
      lines.length = 0
      await send()
      expect(entries(), where).toEqual([
        expect.objectContaining({ level: 40, message: expect.stringMatching(/./), ...expected }),
      ])
    }
  })

  test('has an error for a failed request, and no reason for a successful one', async () => {
    const { souk, token, entries } = await startLogged()
    await souk.get('/probe/broken?a=b')
    expect(entries()).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'request', status: 500, code: 'InternalFailure', query: 'a=b' }),
    )
    await souk.get('/sellers/v1/account?a=b', { token })
    const { level, ...line } = entries().at(-1)
    expect([level, Object.keys(line)]).toEqual([30, expect.not.arrayContaining(['query', 'code', 'message', 'reason'])])
  })

  test('stays short, whatever the caller sends', async () => {
    const { souk, token, lines } = await startLogged()
    lines.length = 0
    await souk.get(`/catalog/2022-04-01/items/${'x'.repeat(990)}?marketplaceIds=${'A'.repeat(9000)}`, { token })
    expect(lines.join('').length).toBeLessThan(6000)
  })

  test('contains the complete error behind a 500', async () => {
    const { souk, entries } = await startLogged()
    const response = await souk.get('/probe/broken')
    expect(entries()).toContainEqual(
      expect.objectContaining({
        level: 50,
        operation: 'probeBroken',
        requestId: response.headers['x-amzn-requestid'],
        err: expect.objectContaining({ message: 'secret detail', stack: expect.stringContaining('probe-routes') }),
      }),
    )
  })
})

describe('the probes', () => {
  test('report liveness and the state of the database', async () => {
    const { souk } = await startLogged()
    expect((await souk.get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await souk.get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  test('count requests and measure them by operation and class of the status', async () => {
    const { souk, token } = await startLogged()
    await souk.get('/sellers/v1/account', { token })
    await souk.get('/sellers/v1/account')
    const metrics = (await souk.get('/metrics')).body
    expect(metrics).toContain('souk_requests_total{operation="getAccount",status="200"} 1')
    expect(metrics).toContain('souk_requests_total{operation="getAccount",status="403"} 1')
    expect(metrics).toContain('souk_request_duration_seconds_count{operation="getAccount",status="2xx"} 1')
    expect(metrics).toContain('souk_request_duration_seconds_count{operation="getAccount",status="4xx"} 1')
  })

  test('list every metric once, whichever routes were called', async () => {
    const { souk } = await startLogged()
    for (const path of ['/', '/docs', '/docs/try/json', '/nowhere']) await souk.get(path)
    const lines = (await souk.get('/metrics')).body.split('\n').filter((line) => line.startsWith('souk_'))
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')))
    expect(series).toEqual([...new Set(series)])
    expect(lines).toContain('souk_requests_total{operation="unknown",status="404"} 1')
  })

  test('serve a page to try the operations, without external resources', async () => {
    const { souk } = await startLogged()
    const page = await souk.get('/docs/try')
    expect(page.statusCode).toBe(200)
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
    expect(assets.length).toBeGreaterThan(2)
    for (const address of assets) {
      expect(address).toMatch(/^\.?\//)
      const asset = await souk.get(new URL(address, 'http://souk/docs/try').pathname)
      expect(asset.statusCode, address).toBe(200)
    }
    expect((await souk.get('/docs/try/static/missing.js')).statusCode).toBe(404)
    const settings = (await souk.get('/docs/try/static/swagger-initializer.js')).body
    for (const url of ['/docs/try/json', '/_souk/openapi.json']) {
      expect(settings).toContain(`"${url}"`)
      expect((await souk.get(url)).json().openapi).toMatch(/^3\.1/)
    }
  })
})
