import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerApplication, type TestApplication } from '../../support/applications.ts'
import { arnOf, DESTINATIONS, receive, SUBSCRIPTIONS } from '../../support/notifications.ts'
import { DAY, putResources, SECOND } from '../../support/seller-client.ts'
import { errorOf, NOTIFICATIONS, ROTATION, startTestSouk, type TestSouk } from '../../support/souk.ts'

const PATH = '/applications/2023-11-30/clientSecret'

let souk: TestSouk
let number = 0
let application: TestApplication
let queue: string
let warnings: string
beforeAll(async () => {
  souk = await startTestSouk()
})
beforeEach(async () => {
  queue = `secrets-${++number}`
  warnings = `warnings-${number}`
  const secretQueues = { newSecret: arnOf(queue), secretExpiry: arnOf(warnings) }
  application = await registerApplication(souk, `app-${number}`, { secretQueues })
})

const inDays = (days: number) => new Date(souk.clock.now().getTime() + days * DAY).toISOString()

/** The status of a grant with each of the secrets. */
const tried = (...secrets: string[]) =>
  Promise.all(
    secrets.map(async (client_secret) => {
      const fields = { grant_type: 'client_credentials', scope: ROTATION, client_id: application.clientId }
      return (await souk.post('/auth/o2/token', { payload: { ...fields, client_secret } })).statusCode
    }),
  )

async function grantless(client_secret: string): Promise<string> {
  const fields = { grant_type: 'client_credentials', scope: ROTATION, client_id: application.clientId }
  return (await souk.post('/auth/o2/token', { payload: { ...fields, client_secret } })).json().access_token
}

const rotate = async (secret = application.clientSecret) => souk.post(PATH, { token: await grantless(secret) })

/** Rotates, and returns the secret of the notification. */
async function rotated(secret?: string): Promise<string> {
  expect((await rotate(secret)).statusCode).toBe(204)
  await souk.idle()
  const [notification] = await receive(souk.queueUrl, queue)
  const payload = notification?.payload as { applicationOAuthClientNewSecret: { newClientSecret: string } }
  return payload.applicationOAuthClientNewSecret.newClientSecret
}

const operatorView = async () =>
  (await souk.get(`/operator/v1/applications/${application.applicationId}`, { headers: souk.operator })).json()

test('the warning before a secret expires is not lost in an import of an export', async () => {
  const other = await startTestSouk()
  const { applicationId } = other.demo
  const secretQueues = { newSecret: arnOf('own-secrets'), secretExpiry: arnOf('own-warnings') }
  await putResources(other, 'applications', [{ applicationId, name: 'Demo application', secretQueues }])
  expect((await other.post(PATH, { token: await other.grantlessToken(ROTATION) })).statusCode).toBe(204)
  await other.idle()
  const warningsDue = async () => (await other.clock.due({ limit: 100 })).filter(({ kind }) => /^warn/.test(kind))
  const before = await warningsDue()
  expect(before).toHaveLength(1)
  await other.import(await other.export())
  expect((await warningsDue()).map(({ kind, time }) => [kind, time])).toEqual(
    before.map(({ kind, time }) => [kind, time]),
  )
  other.clock.advance(91 * DAY)
  await other.idle()
  await other.import(await other.export())
  expect(await warningsDue()).toEqual([])
})

describe('rotateApplicationClientSecret', () => {
  test('returns 204 without a body, and the new secret arrives at the queue of the application', async () => {
    const response = await rotate()
    expect([response.statusCode, response.body]).toEqual([204, ''])
    await souk.idle()
    const received = await receive(souk.queueUrl, queue)
    expect(received).toEqual([
      {
        notificationVersion: '1.0',
        notificationType: 'APPLICATION_OAUTH_CLIENT_NEW_SECRET',
        payloadVersion: '2023-11-30',
        eventTime: souk.clock.now().toISOString(),
        payload: {
          applicationOAuthClientNewSecret: {
            clientId: application.clientId,
            newClientSecret: expect.stringMatching(/^amzn1\.oa2-cs\.v1\.[0-9a-f]{64}$/),
            newClientSecretExpiryTime: inDays(180),
            oldClientSecretExpiryTime: inDays(7),
          },
        },
        notificationMetadata: {
          applicationId: application.applicationId,
          subscriptionId: expect.any(String),
          publishTime: souk.clock.now().toISOString(),
          notificationId: expect.any(String),
        },
      },
    ])
  })

  test('keeps the old secret valid for seven days', async () => {
    const fresh = await rotated()
    expect(await operatorView()).toMatchObject({ previousSecretEndsAt: inDays(7), clientSecretExpiresAt: inDays(180) })
    souk.clock.advance(7 * DAY - SECOND)
    expect(await tried(application.clientSecret, fresh)).toEqual([200, 200])
    souk.clock.advance(SECOND)
    expect(await tried(application.clientSecret, fresh)).toEqual([401, 200])
  })

  test('warns 90 days before the new secret expires, and after 180 days the secret is refused', async () => {
    const fresh = await rotated()
    const expiresAt = inDays(180)
    souk.clock.advance(90 * DAY - SECOND)
    await souk.idle()
    expect(await receive(souk.queueUrl, warnings)).toEqual([])
    souk.clock.advance(SECOND)
    await souk.idle()
    expect(await receive(souk.queueUrl, warnings)).toMatchObject([
      {
        notificationType: 'APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY',
        payloadVersion: '2023-11-30',
        payload: {
          applicationOAuthClientSecretExpiry: {
            clientId: application.clientId,
            clientSecretExpiryTime: expiresAt,
            clientSecretExpiryReason: 'PERIODIC_ROTATION',
          },
        },
      },
    ])
    souk.clock.advance(90 * DAY - SECOND)
    expect(await tried(fresh)).toEqual([200])
    souk.clock.advance(SECOND)
    expect(await tried(fresh)).toEqual([401])
  })

  test('does not warn of a secret that was rotated in time, and an overlap does not prolong its life', async () => {
    const second = await rotated()
    souk.clock.advance(89 * DAY)
    const third = await rotated(second)
    souk.clock.advance(DAY)
    await souk.idle()
    expect(await receive(souk.queueUrl, warnings)).toEqual([])
    souk.clock.advance(176 * DAY)
    await souk.idle()
    await receive(souk.queueUrl, warnings)
    const fourth = await rotated(third)
    expect(await operatorView()).toMatchObject({ previousSecretEndsAt: inDays(3) })
    souk.clock.advance(3 * DAY)
    expect(await tried(third, fourth)).toEqual([401, 200])
  })

  test('an operator who discards a new secret does not prolong the life of the one before', async () => {
    const second = await rotated()
    souk.clock.advance(177 * DAY)
    await souk.idle()
    await rotated(second)
    const path = `/operator/v1/applications/${application.applicationId}/clientSecret`
    const discarded = await souk.post(path, { headers: souk.operator, payload: { discardCurrent: true } })
    expect(discarded.json()).toMatchObject({ previousSecretEndsAt: inDays(3) })
    souk.clock.advance(3 * DAY)
    expect(await tried(second, discarded.json().clientSecret)).toEqual([401, 200])
  })

  test('a secret that the operator creates does not expire', async () => {
    await rotated()
    const path = `/operator/v1/applications/${application.applicationId}/clientSecret`
    const payload = { discardCurrent: true, overlapSeconds: 0 }
    const { clientSecret } = (await souk.post(path, { headers: souk.operator, payload })).json()
    souk.clock.advance(200 * DAY)
    await souk.idle()
    expect(await receive(souk.queueUrl, warnings)).toEqual([])
    expect(await tried(clientSecret)).toEqual([200])
  })

  test('stores no secret in clear: neither the operator nor the database sees it before it is sent', async () => {
    const own = await startTestSouk({ messaging: { sqs: { endpoint: 'http://127.0.0.1:1' } } })
    const applicationId = 'stuck'
    const secretQueues = { newSecret: arnOf('stuck') }
    const stuck = await registerApplication(own, applicationId, { secretQueues })
    const token = await stuck.grantlessToken(ROTATION)
    expect((await own.post(PATH, { token })).statusCode).toBe(204)
    const listed = await own.get('/operator/v1/deliveries?state=PENDING', { headers: own.operator })
    expect(listed.json().deliveries).toMatchObject([
      { notificationType: 'APPLICATION_OAUTH_CLIENT_NEW_SECRET', payload: { sealed: expect.any(String) } },
    ])
    expect(listed.body).not.toContain('oa2-cs')
    expect(listed.body).not.toContain(stuck.clientId)
  })

  test('is refused with 400 while two secrets are valid, because clients may use either', async () => {
    const fresh = await rotated()
    expect(errorOf(await rotate(fresh))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      details: expect.stringContaining(inDays(7)),
    })
    expect(await tried(application.clientSecret, fresh)).toEqual([200, 200])
    await souk.idle()
    expect(await receive(souk.queueUrl, queue)).toEqual([])
  })

  test('rotates once if two requests come at the same time', async () => {
    const responses = await Promise.all([rotate(), rotate()])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400])
    await souk.idle()
    expect(await receive(souk.queueUrl, queue)).toHaveLength(1)
  })

  test('is refused with 400 for an application without a queue, and its secret stays as it is', async () => {
    application = await registerApplication(souk, `unenrolled-${number}`)
    expect(errorOf(await rotate())).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('not enrolled'),
    })
    expect(await operatorView()).not.toHaveProperty('previousSecretEndsAt')
  })

  test('keeps its queues: the application cannot delete them, so no other application can take them', async () => {
    const token = await application.grantlessToken()
    const destinations = (await souk.get(DESTINATIONS, { token })).json().payload
    expect(destinations).toHaveLength(2)
    for (const { destinationId } of destinations) {
      expect(errorOf(await souk.delete(`${DESTINATIONS}/${destinationId}`, { token }))).toMatchObject({
        status: 403,
        code: 'Unauthorized',
        details: 'Destination receives client secrets',
      })
    }
    const payload = { name: 'Taken', resourceSpecification: { sqs: { arn: arnOf(queue) } } }
    const other = await souk.grantlessToken(NOTIFICATIONS)
    expect((await souk.post(DESTINATIONS, { token: other, payload })).statusCode).toBe(409)
    expect(await tried(await rotated())).toEqual([200])
  })

  test('lets go of queues that the operator has taken away', async () => {
    const token = await application.grantlessToken()
    const [destination] = (await souk.get(DESTINATIONS, { token })).json().payload
    await putResources(souk, 'applications', [{ applicationId: application.applicationId, name: 'Renamed' }])
    const path = `${DESTINATIONS}/${destination.destinationId}`
    expect((await souk.delete(path, { token })).statusCode).toBe(200)
  })

  test.each<[string, () => Promise<string>]>([
    ['a seller', () => souk.tokenFor(souk.demo.refreshToken)],
    ['another scope', () => souk.grantlessToken(NOTIFICATIONS)],
  ])('requires a grantless token with its scope, not one of %s', async (_whose, token) => {
    expect(errorOf(await souk.post(PATH, { token: await token() }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
    })
  })

  test.each([{}, undefined, { unknown: true }])('accepts the body %o', async (payload) => {
    const token = await grantless(application.clientSecret)
    expect((await souk.post(PATH, { token, ...(payload && { payload }) })).statusCode).toBe(204)
  })
})

describe('the queues of an application', () => {
  const put = (resource: object) =>
    souk.put('/operator/v1/applications', { headers: souk.operator, payload: { applications: [resource] } })

  test('are part of the resource: an upsert without them removes them', async () => {
    const { applicationId } = application
    expect(await operatorView()).toMatchObject({
      secretQueues: { newSecret: arnOf(queue), secretExpiry: arnOf(warnings) },
    })
    await putResources(souk, 'applications', [{ applicationId, name: 'Renamed' }])
    expect(await operatorView()).not.toHaveProperty('secretQueues')
    expect(errorOf(await rotate())).toMatchObject({ status: 400 })
  })

  test('cannot be those of another application, in the database or in the same request', async () => {
    const secretQueues = { newSecret: arnOf(queue) }
    expect(errorOf(await put({ applicationId: 'thief', name: 'Thief', secretQueues }))).toMatchObject({ status: 409 })
    const payload = {
      applications: ['first', 'second'].map((applicationId) => ({
        applicationId,
        name: applicationId,
        secretQueues: { newSecret: arnOf('shared') },
      })),
    }
    const refused = await souk.put('/operator/v1/applications', { headers: souk.operator, payload })
    expect(errorOf(refused)).toMatchObject({ status: 409 })
    expect((await souk.get('/operator/v1/applications/first', { headers: souk.operator })).statusCode).toBe(404)
  })

  test.each([
    { newSecret: 'arn:aws:sns:us-east-1:123456789012:x' },
    { newSecret: `${arnOf('x')}.fifo` },
    { other: arnOf('x') },
    'x',
  ])('%o is refused with 400', async (secretQueues) => {
    expect(errorOf(await put({ applicationId: 'odd', name: 'Odd', secretQueues }))).toMatchObject({ status: 400 })
  })

  test('sellers cannot subscribe to the notifications', async () => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const payload = { payloadVersion: '2023-11-30', destinationId: 'x' }
    const response = await souk.post(`${SUBSCRIPTIONS}/APPLICATION_OAUTH_CLIENT_NEW_SECRET`, { token, payload })
    expect(errorOf(response)).toMatchObject({ status: 400, details: expect.stringContaining('operator') })
  })
})

test('one rotation per minute is allowed', async () => {
  const own = await startTestSouk({ rates: 'documented' })
  const token = await own.grantlessToken(ROTATION)
  expect((await own.post(PATH, { token })).statusCode).toBe(400)
  expect(errorOf(await own.post(PATH, { token }))).toMatchObject({ status: 429, code: 'QuotaExceeded' })
  own.clock.advance(60 * SECOND)
  expect((await own.post(PATH, { token })).statusCode).toBe(400)
})
