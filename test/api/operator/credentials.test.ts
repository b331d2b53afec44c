import { beforeAll, describe, expect, test } from 'vitest'
import { signingMasterSecret } from '../../../src/dev/demo/index.ts'
import { signingSecret } from '../../../src/platform/auth/signing-keys.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})

const put = (plural: string, payload: object) => souk.put(`/operator/v1/${plural}`, { headers: souk.operator, payload })
const get = (path: string) => souk.get(`/operator/v1/${path}`, { headers: souk.operator })
const post = (path: string, payload?: object) =>
  souk.post(`/operator/v1/${path}`, { headers: souk.operator, ...(payload && { payload }) })
const requestToken = (fields: object) => souk.post('/auth/o2/token', { payload: fields })

async function createApplication(applicationId: string) {
  const response = await put('applications', { applications: [{ applicationId, name: applicationId }] })
  return response.json().applications[0]
}

describe('applications', () => {
  test('get credentials on creation, which are returned only once', async () => {
    const created = await createApplication('app-1')
    expect(created).toEqual({
      applicationId: 'app-1',
      name: 'app-1',
      clientId: expect.stringMatching(/^amzn1\.application-oa2-client\.[0-9a-f]{32}$/),
      clientSecret: expect.stringMatching(/^amzn1\.oa2-cs\.v1\.[0-9a-f]{64}$/),
      signingKey: {
        accessKeyId: expect.stringMatching(/^AKIA/),
        secretAccessKey: signingSecret(signingMasterSecret, created.signingKey.accessKeyId),
      },
    })
    const { clientSecret, signingKey, ...shown } = created
    const again = { ...shown, signingKey: { accessKeyId: signingKey.accessKeyId } }
    expect((await get('applications/app-1')).json()).toEqual(again)
    expect((await get('applications')).json().applications).toContainEqual(again)
    expect(await createApplication('app-1')).toEqual(again)
    expect(clientSecret).toBeDefined()
  })

  test('keep their credentials when renamed', async () => {
    const { clientId, clientSecret } = await createApplication('app-2')
    await put('applications', { applications: [{ applicationId: 'app-2', name: 'Renamed' }] })
    expect((await get('applications/app-2')).json()).toMatchObject({ name: 'Renamed', clientId })
    const scope = 'sellingpartnerapi::notifications'
    const fields = { grant_type: 'client_credentials', scope, client_id: clientId, client_secret: clientSecret }
    expect((await requestToken(fields)).statusCode).toBe(200)
  })

  test('can get a new secret; without an overlap the old one stops working immediately', async () => {
    const { clientId, clientSecret } = await createApplication('app-3')
    const rotated = (await post('applications/app-3/clientSecret', { overlapSeconds: 0 })).json()
    const scope = 'sellingpartnerapi::notifications'
    const fields = { grant_type: 'client_credentials', scope, client_id: clientId }
    expect((await requestToken({ ...fields, client_secret: clientSecret })).statusCode).toBe(401)
    expect((await requestToken({ ...fields, client_secret: rotated.clientSecret })).statusCode).toBe(200)
    expect(errorOf(await post('applications/nobody/clientSecret')).status).toBe(404)
  })

  test('have credentials that need no escaping in a form', async () => {
    const { clientId, clientSecret } = await createApplication('app-4')
    expect(clientId + clientSecret).not.toMatch(/[+&%=#]/)
  })
})

describe('authorizations', () => {
  test('return a working refresh token once, and can be listed', async () => {
    const { clientId, clientSecret } = await createApplication('app-5')
    const authorizations = [
      { sellerId: souk.demo.sellerId, applicationId: 'app-5' },
      { sellerId: souk.demo.otherSeller.sellerId, applicationId: 'app-5' },
    ]
    const created = (await put('authorizations', { authorizations })).json().authorizations
    const refreshTokens = created.map((one: { refreshToken: string }) => one.refreshToken)
    expect(new Set(refreshTokens).size).toBe(2)
    const repeated = (await put('authorizations', { authorizations })).json().authorizations
    expect(repeated).toHaveLength(2)
    for (const one of repeated) expect(one).not.toHaveProperty('refreshToken')

    const fields = { grant_type: 'refresh_token', client_id: clientId, client_secret: clientSecret }
    const token = (await requestToken({ ...fields, refresh_token: refreshTokens[0] })).json().access_token
    expect((await souk.get('/sellers/v1/account', { token })).statusCode).toBe(200)

    const listed = (await get('authorizations?pageSize=3')).json()
    expect(listed.authorizations).toHaveLength(3)
    const rest = (await get(`authorizations?pageToken=${listed.nextToken}`)).json()
    expect(rest.authorizations.length).toBeGreaterThanOrEqual(1)
    expect((await get(`authorizations/${souk.demo.sellerId}/app-5`)).json()).toMatchObject(authorizations[0] as object)
  })

  test('can get further refresh tokens; the first stays valid', async () => {
    const path = `authorizations/${souk.demo.sellerId}/${souk.demo.applicationId}/refreshToken`
    const { refreshToken } = (await post(path)).json()
    expect(await souk.tokenFor(refreshToken)).toEqual(expect.any(String))
    expect(await souk.tokenFor(souk.demo.refreshToken)).toEqual(expect.any(String))
  })

  test('refuse sellers and applications that do not exist, and name the field', async () => {
    const { sellerId, applicationId } = souk.demo
    const wrongSeller = { authorizations: [{ sellerId: 'NOBODY', applicationId }] }
    expect(errorOf(await put('authorizations', wrongSeller)).details).toContain('authorizations[0].sellerId')
    const wrongApplication = {
      authorizations: [
        { sellerId, applicationId },
        { sellerId, applicationId: 'nobody' },
      ],
    }
    expect(errorOf(await put('authorizations', wrongApplication)).details).toContain('authorizations[1].applicationId')
    for (const what of ['refreshToken', 'code']) {
      expect(errorOf(await post(`authorizations/${sellerId}/nobody/${what}`)).status).toBe(404)
    }
  })

  test('refuse a code request with an unknown key', async () => {
    const path = `authorizations/${souk.demo.sellerId}/${souk.demo.applicationId}/code`
    expect(errorOf(await post(path, { redirect: 'x' })).details).toContain('redirect is not allowed')
  })

  test('refuse a code request with a redirect URI that cannot be stored', async () => {
    const path = `authorizations/${souk.demo.sellerId}/${souk.demo.applicationId}/code`
    const refused = errorOf(await post(path, { redirectUri: 'https://app.example/\0' }))
    expect(refused).toMatchObject({ status: 400, details: expect.stringContaining('redirectUri contains a NUL') })
  })
})
