import { SignatureV4 } from '@smithy/signature-v4'
import { beforeEach, describe, expect, test } from 'vitest'
import { signingMasterSecret } from '../../../src/dev/demo/index.ts'
import { NodeSha256 } from '../../../src/platform/auth/node-sha256.ts'
import { registerApplication, type TestApplication } from '../../support/applications.ts'
import { DAY, REPORTS, SECOND } from '../../support/reports.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let application: TestApplication

const post = (path: string, payload?: object) =>
  souk.post(`/operator/v1/applications/${path}`, { headers: souk.operator, ...(payload && { payload }) })
const end = (path: string) => souk.delete(`/operator/v1/applications/${path}/previous`, { headers: souk.operator })
const shown = async () => (await souk.get('/operator/v1/applications/app', { headers: souk.operator })).json()
const inDays = (days: number) => new Date(souk.clock.now().getTime() + days * DAY).toISOString()

describe('rotateClientSecret', () => {
  beforeEach(async () => {
    souk = await startTestSouk()
    application = await registerApplication(souk, 'app')
  })

  async function rotate(payload?: object): Promise<string> {
    const response = await post('app/clientSecret', payload)
    expect(response.statusCode, response.body).toBe(200)
    return response.json().clientSecret
  }
  /** The status of a grant with each of the secrets. */
  const tried = (...secrets: string[]) =>
    Promise.all(
      secrets.map(async (client_secret) => {
        const fields = { grant_type: 'client_credentials', scope: NOTIFICATIONS, client_id: application.clientId }
        return (await souk.post('/auth/o2/token', { payload: { ...fields, client_secret } })).statusCode
      }),
    )

  test('keeps the old secret valid for seven days', async () => {
    const old = application.clientSecret
    const response = await post('app/clientSecret')
    const { clientSecret } = response.json()
    expect(response.json()).toEqual({
      applicationId: 'app',
      clientSecret: expect.stringMatching(/^amzn1\.oa2-cs\.v1\.[0-9a-f]{64}$/),
      previousSecretEndsAt: inDays(7),
    })
    expect(await shown()).toMatchObject({ previousSecretEndsAt: inDays(7) })
    expect(await tried(old, clientSecret, 'wrong')).toEqual([200, 200, 401])
    souk.clock.advance(7 * DAY - SECOND)
    expect(await tried(old, clientSecret)).toEqual([200, 200])
    souk.clock.advance(SECOND)
    expect(await tried(old, clientSecret)).toEqual([401, 200])
    expect(await shown()).not.toHaveProperty('previousSecretEndsAt')
  })

  test('accepts another overlap, or none', async () => {
    const second = await rotate({ overlapSeconds: 60 })
    souk.clock.advance(60 * SECOND)
    expect(await tried(application.clientSecret, second)).toEqual([401, 200])
    const third = await rotate({ overlapSeconds: 0 })
    expect(await tried(second, third)).toEqual([401, 200])
  })

  test('lets the operator revoke the old secret immediately', async () => {
    const fresh = await rotate()
    expect((await end('app/clientSecret')).json()).toEqual({})
    expect(await tried(application.clientSecret, fresh)).toEqual([401, 200])
    expect(errorOf(await end('app/clientSecret'))).toMatchObject({ status: 404, code: 'NotFound' })
  })

  test('is refused while two secrets are valid, because clients may use either', async () => {
    const fresh = await rotate()
    expect(errorOf(await post('app/clientSecret'))).toMatchObject({
      status: 409,
      code: 'Conflict',
      details: expect.stringContaining(inDays(7)),
    })
    expect(await tried(application.clientSecret, fresh)).toEqual([200, 200])
  })

  test('can be repeated after a lost response; the secret that clients use stays valid', async () => {
    const lost = await rotate()
    souk.clock.advance(DAY)
    const fresh = await rotate({ discardCurrent: true })
    expect(await tried(application.clientSecret, lost, fresh)).toEqual([200, 401, 200])
    expect(await shown()).toMatchObject({ previousSecretEndsAt: inDays(7) })
    await end('app/clientSecret')
    expect(errorOf(await post('app/clientSecret', { discardCurrent: true })).status).toBe(409)
  })

  test('is not reverted when the application is renamed', async () => {
    const fresh = await rotate()
    const payload = { applications: [{ applicationId: 'app', name: 'Renamed' }] }
    await souk.put('/operator/v1/applications', { headers: souk.operator, payload })
    expect(await tried(application.clientSecret, fresh)).toEqual([200, 200])
  })

  test.each([
    ['an unknown key', { overlap: 1 }],
    ['a negative overlap', { overlapSeconds: -1 }],
    ['an overlap of more than 30 days', { overlapSeconds: 30 * 86_400 + 1 }],
    ['half a second', { overlapSeconds: 0.5 }],
  ])('refuses %s with 400 and does not rotate', async (_what, payload) => {
    expect(errorOf(await post('app/clientSecret', payload))).toMatchObject({ status: 400 })
    expect(await shown()).not.toHaveProperty('previousSecretEndsAt')
  })

  test('returns 404 for an application that does not exist', async () => {
    expect(errorOf(await post('nobody/clientSecret'))).toMatchObject({ status: 404 })
    expect(errorOf(await end('nobody/clientSecret'))).toMatchObject({ status: 404 })
    expect(errorOf(await post('nobody/signingKey'))).toMatchObject({ status: 404 })
  })
})

interface SigningKey {
  accessKeyId: string
  secretAccessKey: string
}

/** The status of a request signed with the key. 404 means that the signature is valid. */
async function statusSignedWith(own: TestSouk, credentials: SigningKey, token: string): Promise<number> {
  const signer = new SignatureV4({ credentials, region: 'us-east-1', service: 'execute-api', sha256: NodeSha256 })
  const path = `${REPORTS}/1`
  const headers = { host: 'souk.example', 'x-amz-access-token': token }
  const request = { method: 'GET', protocol: 'https:', hostname: 'souk.example', path, query: {}, headers }
  const signed = await signer.sign(request, { signingDate: own.clock.now() })
  return (await own.get(path, { headers: signed.headers })).statusCode
}

test('rotateSigningKey keeps the old key valid until it expires or is revoked', async () => {
  souk = await startTestSouk({ signing: { required: true } })
  application = await registerApplication(souk, 'app', { sellerIds: [souk.demo.sellerId] })
  const { signingKey: old } = application
  const { signingKey: fresh, previousSigningKeyEndsAt } = (await post('app/signingKey')).json()
  expect(previousSigningKeyEndsAt).toBe(inDays(7))
  expect(fresh.accessKeyId).not.toBe(old.accessKeyId)
  const tried = async (...keys: SigningKey[]) => {
    const token = await application.sellerToken(souk.demo.sellerId)
    return Promise.all(keys.map((key) => statusSignedWith(souk, key, token)))
  }
  expect(await tried(old, fresh)).toEqual([404, 404])
  souk.clock.advance(7 * DAY)
  expect(await tried(old, fresh)).toEqual([403, 404])
  const { signingKey: third } = (await post('app/signingKey')).json()
  expect(await tried(fresh, third)).toEqual([404, 404])
  expect((await end('app/signingKey')).statusCode).toBe(200)
  expect(await tried(fresh, third)).toEqual([403, 404])
})

describe('a new signing secret', () => {
  const started = async (fallbackSecrets: string[]) => {
    const own = await startTestSouk({
      signing: { required: true, masterSecret: 'a-new-signing-secret', fallbackSecrets },
    })
    return { own, token: await own.tokenFor(own.demo.refreshToken) }
  }

  test('leaves the keys of the old secret valid while the old secret is a fallback', async () => {
    const { own, token } = await started([signingMasterSecret])
    expect(await statusSignedWith(own, own.demo.signingKey, token)).toBe(404)
    const { own: later, token: laterToken } = await started([])
    expect(await statusSignedWith(later, later.demo.signingKey, laterToken)).toBe(403)
  })

  test('is used to derive new signing keys', async () => {
    const { own, token } = await started([signingMasterSecret])
    const path = `/operator/v1/applications/${own.demo.applicationId}/signingKey`
    const { signingKey } = (await own.post(path, { headers: own.operator })).json()
    expect(await statusSignedWith(own, signingKey, token)).toBe(404)
    expect(await statusSignedWith(own, own.demo.signingKey, token)).toBe(404)
  })
})
