import { SignatureV4 } from '@smithy/signature-v4'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { NodeSha256 } from '../../../src/platform/auth/node-sha256.ts'
import {
  DOCUMENTS,
  FEEDS,
  FeedsClient,
  JSON_TYPE,
  LISTINGS,
  MINUTE,
  RETIRED,
  remove,
  US,
  upload,
} from '../../support/feeds.ts'
import { errorOf, NOTIFICATIONS, reasonOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const feedBody = { feedType: LISTINGS, marketplaceIds: [US], inputFeedDocumentId: 'none' }

/** Each operation, with a call that passes the door, and the requests that it takes in a second. */
const operations: [name: string, method: InjectOptions['method'], path: string, rate: string, payload?: object][] = [
  ['createFeedDocument', 'POST', DOCUMENTS, '0.5', { contentType: JSON_TYPE }],
  ['createFeed', 'POST', FEEDS, '0.0083', feedBody],
  ['getFeeds', 'GET', `${FEEDS}?feedTypes=${LISTINGS}`, '0.0222'],
  ['getFeed', 'GET', `${FEEDS}/1`, '2.0'],
  ['cancelFeed', 'DELETE', `${FEEDS}/1`, '2.0'],
  ['getFeedDocument', 'GET', `${DOCUMENTS}/1`, '0.0222'],
]
const denied = (details: string) => ({ status: 403, code: 'Unauthorized', details: expect.stringContaining(details) })

describe('each operation of feeds', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk({ rates: 'documented' })
  })

  test.each(operations)("%s accepts only a seller's access token", async (_name, method, path, _rate, payload) => {
    const call = async (token?: string) =>
      errorOf(await souk.send(method, path, { ...(token && { token }), ...(payload && { payload }) }))
    expect(await call()).toMatchObject(denied('missing'))
    expect(await call('Atza|wrong')).toMatchObject(denied('invalid'))
    expect(await call(await souk.grantlessToken(NOTIFICATIONS))).toMatchObject(denied('grantless'))
  })

  test.each(operations)('%s returns its rate limit', async (_name, method, path, rate, payload) => {
    const response = await new FeedsClient(souk).send(method, path, payload ? { payload } : {})
    expect(response.statusCode).not.toBe(403)
    expect(response.headers['x-amzn-ratelimit-limit']).toBe(rate)
  })

  test.each(operations)('%s refuses an expired token with that reason', async (_name, method, path, _rate, payload) => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    souk.clock.advance(60 * MINUTE)
    expect(errorOf(await souk.send(method, path, { token, ...(payload && { payload }) }))).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringMatching(/access token.*expired/),
    })
  })
})

describe('the documented quotas', () => {
  test.each<[string, number, (client: FeedsClient) => ReturnType<FeedsClient['get']>]>([
    ['createFeedDocument', 15, (client) => client.createDocument()],
    ['createFeed', 15, (client) => client.post(FEEDS, feedBody)],
    ['getFeeds', 10, (client) => client.get(`${FEEDS}?feedTypes=${LISTINGS}`)],
    ['getFeed', 15, (client) => client.get(`${FEEDS}/1`)],
    ['cancelFeed', 15, (client) => client.delete(`${FEEDS}/1`)],
    ['getFeedDocument', 10, (client) => client.get(`${DOCUMENTS}/1`)],
  ])('of %s allow a burst of %i and refuse the next call', async (_name, burst, call) => {
    const client = new FeedsClient(await startTestSouk({ rates: 'documented' }))
    for (let index = 0; index < burst; index++) expect((await call(client)).statusCode).not.toBe(429)
    expect(errorOf(await call(client))).toMatchObject({ status: 429, code: 'QuotaExceeded' })
  })
})

describe('the limit of listings feeds', () => {
  const document = (client: FeedsClient) => client.document([remove('NOBODY-HAS-THIS')])
  const submit = async (client: FeedsClient, feedType = LISTINGS) =>
    client.createFeed({ feedType, inputFeedDocumentId: await client.uploaded(document(client)) })
  const statuses = async (count: number, client: FeedsClient, feedType?: string) => {
    const found: number[] = []
    for (let index = 0; index < count; index++) found.push((await submit(client, feedType)).statusCode)
    return found
  }

  test('allows five per seller every five minutes and refuses the sixth with 429 and the reason', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    const client = new FeedsClient(souk)
    expect(await statuses(5, client)).toEqual(Array(5).fill(202))
    const inputFeedDocumentId = await client.uploaded(document(client))
    const refused = await client.createFeed({ inputFeedDocumentId })
    expect(errorOf(refused)).toMatchObject({ status: 429, code: 'QuotaExceeded', details: '' })
    expect(reasonOf(refused)).toContain('five minutes')
    // Each seller has a separate limit, and other types have no limit.
    expect(await statuses(1, new FeedsClient(souk, souk.demo.otherSeller))).toEqual([202])
    expect(await statuses(1, client, RETIRED)).toEqual([202])
    // The document that was refused is still good.
    souk.clock.advance(MINUTE)
    expect((await client.createFeed({ inputFeedDocumentId })).statusCode).toBe(202)
  })

  test('does not count feeds that are refused for another reason', async () => {
    const client = new FeedsClient(await startTestSouk({ rates: 'documented' }))
    for (let count = 0; count < 9; count++) expect((await client.post(FEEDS, feedBody)).statusCode).toBe(400)
    expect(await statuses(5, client)).toEqual(Array(5).fill(202))
  })

  test('is off when rates are off, and multiplied with them', async () => {
    expect(await statuses(8, new FeedsClient(await startTestSouk()))).toEqual(Array(8).fill(202))
    const souk = await startTestSouk({ rates: 60 })
    const client = new FeedsClient(souk)
    expect(await statuses(6, client)).toEqual([...Array(5).fill(202), 429])
    souk.clock.advance(1_000)
    expect(await statuses(2, client)).toEqual([202, 429])
  })
})

describe('where signed requests are required', () => {
  let souk: TestSouk
  let client: FeedsClient
  beforeAll(async () => {
    souk = await startTestSouk({ signing: { required: true } })
    client = new FeedsClient(souk)
  })

  test.each(operations)('%s refuses an unsigned request', async (_name, method, path, _rate, payload) => {
    expect(errorOf(await client.send(method, path, payload ? { payload } : {}))).toMatchObject(denied('not signed'))
  })

  test('accepts signed createFeedDocument and createFeed; the upload needs only its URL', async () => {
    const signer = new SignatureV4({
      credentials: souk.demo.signingKey,
      region: 'us-east-1',
      service: 'execute-api',
      sha256: NodeSha256,
    })
    const send = async (path: string, body: object) => {
      const payload = JSON.stringify(body)
      const token = await client.token()
      const headers = { host: 'souk.example', 'content-type': 'application/json', 'x-amz-access-token': token }
      const request = { method: 'POST', protocol: 'https:', hostname: 'souk.example', path, query: {}, headers }
      const signed = await signer.sign({ ...request, body: payload }, { signingDate: souk.clock.now() })
      return souk.post(path, { headers: signed.headers, payload })
    }
    const place = await send(DOCUMENTS, { contentType: JSON_TYPE })
    expect(place.statusCode).toBe(201)
    const { feedDocumentId: inputFeedDocumentId, url } = place.json()
    expect((await upload(url, '{}')).status).toBe(200)
    const created = await send(FEEDS, { ...feedBody, inputFeedDocumentId })
    expect(created.statusCode).toBe(202)
  })
})
