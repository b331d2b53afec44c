import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { networkInterfaces } from 'node:os'
import { beforeAll, describe, expect, test } from 'vitest'
import { REDIRECT_HEADER } from '../../../src/platform/vendor-hosts.ts'
import { readOperations, sample } from '../../support/openapi-parameters.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const S3_HOST = 'souk-documents.s3.us-east-1.amazonaws.com'

const controlPlane = JSON.parse(readFileSync(new URL('../../../openapi/control-plane.json', import.meta.url), 'utf8'))

// Bodies are validated first.
const SAMPLES = { orderId: '902-0000001-0000001', asin: 'B000000001' }

describe('the paths under /_souk/', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk({ publicUrl: 'https://souk.example.com' })
  })

  test.each(readOperations(controlPlane))('refuse an unknown parameter: $name', async ({ method, path, body }) => {
    const url = `${path.replaceAll(/{\w+}/g, 'any')}?nonsense=1`
    const response = await souk.send(method as 'GET', url, body && { payload: sample(body, '', SAMPLES) as object })
    expect(errorOf(response).status).toBe(400)
    expect(response.body).toContain('nonsense')
  })

  test.each(['requests', 'faults', 'incidents'])(
    'refuse a body that would select what DELETE /_souk/%s deletes',
    async (path) => {
      const response = await souk.send('DELETE', `/_souk/${path}`, { payload: { operation: 'getOrder' } })
      expect(errorOf(response).status).toBe(400)
    },
  )

  const advance = (headers: Record<string, string>) =>
    souk.post('/_souk/clock', { headers, payload: { advanceSeconds: 60 } })

  test.each([
    '127.0.0.1:4700',
    '[::1]:4700',
    'localhost:4700',
    'LOCALHOST',
    'souk.localhost',
    '192.168.1.5:4700',
    '203.0.113.5:4700',
    'souk.example.com',
  ])('serve programs that reach Souk at %s', async (host) => {
    expect(await advance({ host })).toMatchObject({ statusCode: 200 })
  })

  test.each(['http://localhost:3000', 'http://127.0.0.1:4700', 'https://souk.example.com', 'http://[::1]'])(
    'serve pages of %s',
    async (origin) => {
      expect(await advance({ origin })).toMatchObject({ statusCode: 200 })
    },
  )

  test.each(['192.168.1.5', '203.0.113.5', 'souk.localhost'])(
    'serve pages of %s that reach Souk by that name',
    async (name) => {
      const headers = { host: `${name}:4700`, origin: `http://${name}:3000` }
      expect(await advance(headers)).toMatchObject({ statusCode: 200 })
    },
  )

  test.each([
    ['a name that was made to point here', { host: 'rebound.example.org:4700' }],
    ['a name of the local network', { host: 'printer.local:4700' }],
    ['a name without a dot, which any device of the network can claim', { host: 'souk:4700' }],
    ['a name that looks like an address', { host: '127.0.0.1.example.org' }],
    ['an invalid host', { host: 'a b' }],
    ['an API host of the vendor', { host: 'sellingpartnerapi-na.amazon.com', [REDIRECT_HEADER]: '1' }],
    ['an S3 host of the vendor', { host: S3_HOST, [REDIRECT_HEADER]: '1' }],
    ['a page of another site', { origin: 'https://example.org' }],
    ['a page of a public IP address', { host: '127.0.0.1:4700', origin: 'http://203.0.113.5' }],
    ['a page of a public IPv6 address', { host: '127.0.0.1:4700', origin: 'http://[2001:db8::5]' }],
    ['a page of another device', { host: '127.0.0.1:4700', origin: 'http://192.168.1.1' }],
    ['a page without a site', { origin: 'null' }],
    ['a page of the vendor', { origin: 'https://sellercentral.amazon.com' }],
    ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
  ])('refuse requests of %s, and change nothing', async (_who, headers) => {
    const before = souk.clock.now()
    const response = await advance(headers)
    expect(errorOf(response)).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      message: 'Paths under /_souk/ are for programs on this machine.',
    })
    expect(souk.clock.now()).toEqual(before)
    expect(await souk.get('/_souk/ca.pem', { headers })).toMatchObject({ statusCode: 403 })
  })

  test('serve a link of another site, unless it would stop all other requests', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
    expect(await souk.get('/_souk/requests', { headers })).toMatchObject({ statusCode: 200 })
    expect(await souk.get('/_souk/export', { headers })).toMatchObject({ statusCode: 403 })
    expect(await souk.get('/_souk/export', { headers: { 'sec-fetch-site': 'none' } })).toMatchObject({
      statusCode: 200,
    })
  })

  test.each(['souk:4700', 'host.docker.internal:4700', 'souk.shop.svc.cluster.local'])(
    'serve containers that reach Souk at %s, once they are open for others',
    async (host) => {
      const open = await startTestSouk({ controlHost: '0.0.0.0', demo: false })
      expect(await open.get('/_souk/clock', { headers: { host } })).toMatchObject({ statusCode: 200 })
      const rebound = { host: 'rebound.example.org' }
      expect(await open.get('/_souk/clock', { headers: rebound })).toMatchObject({ statusCode: 403 })
    },
  )

  test.each([
    ['a page with a name that was made to point here', { origin: 'http://rebound.example.org:4700' }],
    ['an image of such a page', { 'sec-fetch-site': 'same-origin' }],
  ])('have neighbors that refuse requests of %s, too', async (_who, headers) => {
    const rebound = { ...headers, host: 'rebound.example.org:4700' }
    const operator = { authorization: `Bearer ${souk.demo.operatorKey}` }
    for (const path of ['/operator/v1/sellers', '/console/v1/session', '/feeds/2021-06-30/feeds']) {
      expect((await souk.get(path, { headers: { ...operator, ...rebound } })).statusCode, path).toBe(403)
    }
    expect((await souk.post('/auth/o2/token', { headers: rebound })).statusCode).toBe(400)
    const own = { ...operator, origin: 'http://localhost:4700', host: 'localhost:4700' }
    expect((await souk.get('/operator/v1/sellers', { headers: own })).statusCode).toBe(200)
  })

  test('are the only ones that depend on the host for programs: some clients send any', async () => {
    expect(await souk.get('/healthz', { headers: { host: 'rebound.example.org' } })).toMatchObject({ statusCode: 200 })
  })
})

/** An address of this machine by which other machines could reach it. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

describe.skipIf(address === undefined)('on an address that other machines reach', () => {
  const start = async (controlHost?: string) => {
    const souk = await startTestSouk({ host: '0.0.0.0', demo: false, tls: true, ...(controlHost && { controlHost }) })
    const { certificate: ca } = await souk.localAuthority()
    const { port, protocol } = new URL(souk.url)
    return {
      get: (path: string) => fetch(`${protocol}//${address}:${port}${path}`),
      getOnLoopback: (path: string) => fetch(souk.url + path),
      getWithTls: async (path: string) => {
        const url = { host: address, port: new URL(souk.tlsUrl as string).port, path, servername: 'localhost' }
        const [response] = (await once(https.get({ ...url, ca, agent: false }), 'response')) as [IncomingMessage]
        response.resume()
        return { status: response.statusCode }
      },
    }
  }

  test('the paths under /_souk/ respond with 403 and the option that opens them, and others are served', async () => {
    const { get, getOnLoopback, getWithTls } = await start()
    const response = await get('/_souk/clock')
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 403,
      body: expect.stringMatching(`came to ${address},.* --control-host 0\\.0\\.0\\.0`),
    })
    expect(await getWithTls('/_souk/clock')).toMatchObject({ status: 403 })
    expect(await get('/healthz')).toMatchObject({ status: 200 })
    expect(await getOnLoopback('/_souk/clock')).toMatchObject({ status: 200 })
  })

  test.each(['0.0.0.0', address])(
    'the paths under /_souk/ are served with the control host %s',
    async (controlHost) => {
      const { get, getWithTls } = await start(controlHost)
      expect(await get('/_souk/clock')).toMatchObject({ status: 200 })
      expect(await getWithTls('/_souk/clock')).toMatchObject({ status: 200 })
    },
  )
})
