import { beforeAll, describe, expect, test } from 'vitest'
import { registerApplication } from '../../support/applications.ts'
import {
  arnOf,
  DESTINATIONS,
  eventBridge,
  type NotificationsClient,
  notificationsClient,
  payloadOf,
  sqs,
} from '../../support/notifications.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { errorOf, NOTIFICATIONS, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: NotificationsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = notificationsClient(souk)
})

const listed = async () => payloadOf(await client.send('GET', DESTINATIONS, 'grantless'))

/** Creates another application and returns a grantless token for it. */
async function otherApplication(): Promise<string> {
  const { grantlessToken } = await registerApplication(souk, `another-app-${++applications}`)
  return grantlessToken()
}
let applications = 0

describe('createDestination', () => {
  test('registers a queue and returns all three resources; the unused ones are null', async () => {
    const response = await client.createDestination(sqs('orders'), { name: 'Orders' })
    expect(response.json()).toEqual({
      payload: {
        destinationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Orders',
        resource: { sqs: { arn: arnOf('orders') }, eventBridge: null, privateSqs: null },
      },
    })
    expect(response.statusCode).toBe(200)
  })

  test('registers an event bus and assigns its name', async () => {
    const { resource } = payloadOf(await client.createDestination(eventBridge('111122223333')))
    expect(resource).toEqual({
      sqs: null,
      eventBridge: {
        name: `sellingpartnerapi.amazon.com/${souk.demo.applicationId}`,
        accountId: '111122223333',
        region: 'eu-west-1',
      },
      privateSqs: null,
    })
  })

  test('accepts the singular path of the specification and ignores its extra fields', async () => {
    const body = { name: 'One', resourceSpecification: sqs('singular'), version: '1.0', destinationId: 'x' }
    const path = '/notifications/v1/destination'
    const { destinationId } = payloadOf(await client.send('POST', path, 'grantless', body))
    expect(payloadOf(await client.send('GET', `${path}/${destinationId}`, 'grantless')).name).toBe('One')
    expect(payloadOf(await client.send('GET', path, 'grantless')).map((one: { name: string }) => one.name)).toContain(
      'One',
    )
    expect((await client.send('DELETE', `${path}/${destinationId}`, 'grantless')).statusCode).toBe(200)
  })

  test('treats a null resource as missing', async () => {
    expect((await client.createDestination({ ...sqs('nulls'), eventBridge: null })).statusCode).toBe(200)
  })

  test('refuses a registered queue with 409 and names it, also for concurrent requests', async () => {
    const [one, other] = await Promise.all([
      client.createDestination(sqs('twice')),
      client.createDestination(sqs('twice')),
    ])
    const statuses = [one.statusCode, other.statusCode]
    expect(statuses.sort()).toEqual([200, 409])
    const refused = one.statusCode === 409 ? one : other
    expect(errorOf(refused)).toMatchObject({ code: 'Conflict', details: expect.stringContaining(arnOf('twice')) })
    expect(errorOf(refused).details).toContain(souk.demo.applicationId)
  })

  test('refuses a second event bus in the same AWS account with 409', async () => {
    await client.createDestination(eventBridge('444455556666', 'eu-west-1'))
    expect(errorOf(await client.createDestination(eventBridge('444455556666', 'us-east-1')))).toMatchObject({
      status: 409,
      code: 'Conflict',
    })
  })

  test.skipIf(!modelsArePresent)('returns a response that conforms to the public model', async () => {
    // The model does not allow null. Its clients ignore the unused resources.
    const { payload } = (await client.createDestination(sqs('model'))).json()
    const { sqs: queue } = payload.resource
    conformsTo('notifications.json', 'CreateDestinationResponse', { payload: { ...payload, resource: { sqs: queue } } })
  })
})

describe('createDestination refuses with 400 and creates nothing', () => {
  const good = arnOf('good')
  const cases: [string, unknown, string][] = [
    ['neither resource', {}, 'resourceSpecification must have sqs or eventBridge'],
    ['two resources', { ...sqs('both'), ...eventBridge() }, 'must not have both'],
    ['an arn of another service', { sqs: { arn: good.replace('sqs', 'sns') } }, 'arn'],
    ['an arn without a region', { sqs: { arn: good.replace('us-east-1', '') } }, 'arn'],
    ['an arn without an account', { sqs: { arn: good.replace('123456789012', '') } }, 'arn'],
    ['an arn without a name', { sqs: { arn: arnOf('') } }, 'arn'],
    ['an arn of a FIFO queue', { sqs: { arn: arnOf('queue.fifo') } }, 'arn'],
    ['an arn with a line break', { sqs: { arn: `${good}\n` } }, 'arn'],
    ['an arn of 1,001 characters', { sqs: { arn: arnOf('a'.repeat(1001 - arnOf('').length)) } }, 'arn'],
    ['no arn', { sqs: {} }, 'arn'],
    ['an arn that is not a string', { sqs: { arn: 7 } }, 'arn'],
    ['an account id of eleven digits', eventBridge('12345678901'), 'accountId'],
    ['an account id of letters', eventBridge('abcdefghijkl'), 'accountId'],
    ['no region', { eventBridge: { accountId: '123456789012' } }, 'region'],
    ['an invalid region', eventBridge('123456789012', 'Ireland'), 'region'],
    ['a specification that is not an object', 'sqs', 'resourceSpecification'],
    ['no specification', undefined, 'resourceSpecification'],
  ]
  test.each(cases)('%s', async (_name, specification, field) => {
    const before = await listed()
    const refused = errorOf(await client.createDestination(specification))
    expect(refused).toMatchObject({ status: 400, code: 'InvalidInput', details: expect.stringContaining(field) })
    expect(await listed()).toEqual(before)
  })

  test.each([
    ['no name', undefined],
    ['an empty name', ''],
    ['a name of 257 characters', 'n'.repeat(257)],
  ])('%s', async (_name, name) => {
    const before = await listed()
    expect(errorOf(await client.createDestination(sqs('nameless'), { name }))).toMatchObject({ status: 400 })
    expect(await listed()).toEqual(before)
  })
})

describe('getDestinations, getDestination and deleteDestination', () => {
  test('return a destination until it is deleted', async () => {
    const destinationId = await client.destination(sqs('shown'))
    const path = `${DESTINATIONS}/${destinationId}`
    const shown = payloadOf(await client.send('GET', path, 'grantless'))
    expect(shown).toMatchObject({ destinationId, resource: sqs('shown') })
    expect(await listed()).toContainEqual(shown)
    const deleted = await client.send('DELETE', path, 'grantless')
    expect([deleted.statusCode, deleted.json()]).toEqual([200, {}])
    expect(errorOf(await client.send('GET', path, 'grantless'))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(await listed()).not.toContainEqual(shown)
    expect(errorOf(await client.send('DELETE', path, 'grantless'))).toMatchObject({ status: 404 })
  })

  test("treat another application's destinations as missing", async () => {
    const token = await otherApplication()
    const destinationId = await client.destination(sqs('mine'))
    expect(payloadOf(await souk.get(DESTINATIONS, { token }))).toEqual([])
    expect(errorOf(await souk.get(`${DESTINATIONS}/${destinationId}`, { token }))).toMatchObject({ status: 404 })
    expect(errorOf(await souk.delete(`${DESTINATIONS}/${destinationId}`, { token }))).toMatchObject({ status: 404 })
    expect(await listed()).toContainEqual(expect.objectContaining({ destinationId }))
    const register = (resourceSpecification: object) =>
      souk.post(DESTINATIONS, { token, payload: { name: 'Theirs', resourceSpecification } })
    const refused = await register(sqs('mine'))
    expect(errorOf(refused)).toMatchObject({ status: 409, code: 'Conflict' })
    expect(refused.body).not.toContain(souk.demo.applicationId)
    expect(refused.body).not.toContain(destinationId)
    expect((await register(sqs('theirs'))).statusCode).toBe(200)
    await client.destination(eventBridge('777788889999'))
    expect((await register(eventBridge('777788889999'))).statusCode).toBe(200)
  })

  test('let only one application register a queue, also for concurrent requests', async () => {
    const token = await otherApplication()
    const payload = { name: 'A queue', resourceSpecification: sqs('contested') }
    const responses = await Promise.all([
      souk.post(DESTINATIONS, { token, payload }),
      client.send('POST', DESTINATIONS, 'grantless', payload),
    ])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test("refuse test notifications to another application's queue", async () => {
    const token = await otherApplication()
    const destinationId = await client.destination(sqs('quiet'))
    const test = { destinationId, testNotification: { payloadVersion: '1.0' } }
    const path = '/notifications/v1/subscriptions/ORDER_CHANGE/testNotification'
    expect(errorOf(await souk.post(path, { token, payload: test }))).toMatchObject({ status: 400 })
  })

  test('refuse to delete a destination that has subscriptions', async () => {
    const { destinationId, subscriptionId } = await client.listen('busy', 'ORDER_CHANGE')
    const path = `${DESTINATIONS}/${destinationId}`
    expect(errorOf(await client.send('DELETE', path, 'grantless'))).toEqual({
      status: 403,
      code: 'Unauthorized',
      message: 'The requested action is forbidden.',
      details: 'Destination has subscriptions',
    })
    await client.send('DELETE', `/notifications/v1/subscriptions/ORDER_CHANGE/${subscriptionId}`, 'seller')
    expect((await client.send('DELETE', path, 'grantless')).statusCode).toBe(200)
  })
})

describe('destinations require a grantless token', () => {
  test.each([
    ['POST', DESTINATIONS],
    ['GET', DESTINATIONS],
    ['GET', `${DESTINATIONS}/x`],
    ['DELETE', `${DESTINATIONS}/x`],
    ['POST', '/notifications/v1/destination'],
  ] as const)('%s %s refuses a seller token with 403', async (method, path) => {
    const refused = errorOf(await client.send(method, path, 'seller', method === 'POST' ? {} : undefined))
    expect(refused).toMatchObject({ status: 403, code: 'Unauthorized', details: expect.stringContaining('grantless') })
  })

  test('a grantless token with another scope is refused', async () => {
    const token = await souk.grantlessToken('sellingpartnerapi::migration')
    expect(errorOf(await souk.get(DESTINATIONS, { token }))).toMatchObject({ status: 403 })
  })

  test('an expired token is refused with the error of the specification', async () => {
    const token = await souk.grantlessToken(NOTIFICATIONS)
    souk.clock.advance(3_600_000)
    const body = { name: 'Late', resourceSpecification: sqs('late') }
    expect(errorOf(await souk.post(DESTINATIONS, { token, payload: body }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringMatching(/access token.*expired/),
    })
  })
})

test('createDestination has a rate of one request per second and a burst of five', async () => {
  const limited = await startTestSouk({ rates: 'documented' })
  const other = notificationsClient(limited)
  const statuses = []
  for (let index = 0; index < 6; index++) statuses.push((await other.createDestination(sqs(`q${index}`))).statusCode)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  limited.clock.advance(1000)
  const response = await other.createDestination(sqs('q6'))
  expect([response.statusCode, response.headers['x-amzn-ratelimit-limit']]).toEqual([200, '1.0'])
  expect((await other.createDestination(sqs('q7'))).statusCode).toBe(429)
})
