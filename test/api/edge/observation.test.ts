import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { probeRoutes } from '../../support/probe-routes.ts'
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
  return { souk, token, lines, entries: () => lines.map((line) => JSON.parse(line)) }
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

  test('never holds a token or a secret, whatever goes wrong', async () => {
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
    const log = lines.join('')
    for (const secret of [token, clientSecret, refreshToken, operatorKey, 'Atzr|wrong-secret', 'Atza|stolen-secret']) {
      expect(log).not.toContain(secret)
    }
  })

  test('holds the whole error behind a 500', async () => {
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
  test('say that the process lives and that its database answers', async () => {
    const { souk } = await startLogged()
    expect((await souk.get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await souk.get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  test('count requests and measure them by operation', async () => {
    const { souk, token } = await startLogged()
    await souk.get('/sellers/v1/account', { token })
    await souk.get('/sellers/v1/account')
    const metrics = (await souk.get('/metrics')).body
    expect(metrics).toContain('souk_requests_total{operation="getAccount",status="200"} 1')
    expect(metrics).toContain('souk_requests_total{operation="getAccount",status="403"} 1')
    expect(metrics).toContain('souk_request_duration_seconds_count{operation="getAccount"} 2')
  })

  test('name every series once, whichever routes were asked', async () => {
    const { souk } = await startLogged()
    for (const path of ['/', '/docs', '/docs/json', '/nowhere']) await souk.get(path)
    const lines = (await souk.get('/metrics')).body.split('\n').filter((line) => line.startsWith('souk_'))
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')))
    expect(series).toEqual([...new Set(series)])
    expect(lines).toContain('souk_requests_total{operation="unknown",status="404"} 1')
  })

  test('show the documentation without asking the internet for anything', async () => {
    const { souk } = await startLogged()
    const page = await souk.get('/docs')
    expect(page.statusCode).toBe(200)
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
    expect(assets.length).toBeGreaterThan(2)
    for (const address of assets) {
      expect(address).toMatch(/^\.?\//)
      const asset = await souk.get(new URL(address, 'http://souk/docs').pathname)
      expect(asset.statusCode, address).toBe(200)
    }
    expect((await souk.get('/docs/json')).json().openapi).toMatch(/^3\.1/)
  })
})
