import { beforeAll, describe, expect, test } from 'vitest'
import { REDIRECT_HEADER } from '../../../src/platform/vendor-hosts.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const S3_HOST = 'souk-documents.s3.us-east-1.amazonaws.com'

describe('the paths under /_souk/', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk({ publicUrl: 'https://souk.example.com' })
  })

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
    'souk:4700',
    'host.docker.internal:4700',
    'souk.shop.svc.cluster.local',
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

  test.each(['192.168.1.5', '203.0.113.5', 'souk'])('serve pages of %s that reach Souk by that name', async (name) => {
    const headers = { host: `${name}:4700`, origin: `http://${name}:3000` }
    expect(await advance(headers)).toMatchObject({ statusCode: 200 })
  })

  test.each([
    ['a name that was made to point here', { host: 'rebound.example.org:4700' }],
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
  ])('refuse requests of %s, and change nothing', async (_who, headers) => {
    const before = souk.clock.now()
    const response = await advance(headers)
    expect(errorOf(response)).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      message: 'Paths under /_souk/ are for programs on this machine and in its network.',
    })
    expect(souk.clock.now()).toEqual(before)
    expect(await souk.get('/_souk/ca.pem', { headers })).toMatchObject({ statusCode: 403 })
  })

  test('are the only ones that depend on the host: some clients send any', async () => {
    expect(await souk.get('/healthz', { headers: { host: 'rebound.example.org' } })).toMatchObject({ statusCode: 200 })
  })
})
