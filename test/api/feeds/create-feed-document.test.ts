import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOCUMENTS, FeedsClient, JSON_TYPE, SECOND, update, upload, XML_TYPE } from '../../support/feeds.ts'
import { newShoe } from '../../support/listings.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const folder = mkdtempSync(join(tmpdir(), 'souk-feed-documents-'))
const MAX_BYTES = 32 * 1024 * 1024

let souk: TestSouk
let client: FeedsClient
beforeAll(async () => {
  souk = await startTestSouk({ documents: folder })
  client = new FeedsClient(souk)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The stored documents and partial uploads. */
const stored = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
const isStored = (documentId: string) => stored().includes(documentId)

describe('createFeedDocument', () => {
  test('returns 201 with the id of the document and an upload URL', async () => {
    const response = await client.createDocument({ contentType: JSON_TYPE })
    expect(response.statusCode).toBe(201)
    const { url, ...rest } = response.json()
    expect(rest).toEqual({ feedDocumentId: expect.stringMatching(/^amzn1\.tortuga\./) })
    const { origin, searchParams } = new URL(url)
    expect(origin).toBe(souk.url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Date': '20260601T120000Z',
      'X-Amz-Expires': '300',
      'X-Amz-SignedHeaders': 'content-type;host',
      'X-Amz-Signature': expect.any(String),
    })
  })

  test('creates another document each time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await client.createdDocument()).feedDocumentId),
    )
    expect(new Set(ids).size).toBe(5)
  })

  test('ignores unknown keys', async () => {
    const response = await client.createDocument({ contentType: JSON_TYPE, MarketplaceId: 7, path: {} })
    expect(response.statusCode).toBe(201)
  })

  test.each([{}, { ContentType: JSON_TYPE }, { contenttype: JSON_TYPE }])(
    'reports the missing contentType in %o',
    async (body) => {
      expect(errorOf(await client.createDocument(body))).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        details: expect.stringContaining('contentType'),
      })
    },
  )

  test.each([
    '',
    5,
    null,
    ['application/json'],
    'text/plain\r\nx-amz-acl: public-read',
    'text/plain\0',
    'x'.repeat(201),
    'té/xt',
  ])('refuses the content type %o, and names the field', async (contentType) => {
    const error = errorOf(await client.createDocument({ contentType }))
    expect(error).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(`${error.message} ${error.details}`).toContain('contentType')
  })

  test.each(['', '[]', 'null', '"text"', '{"contentType":'])('refuses the body %o', async (payload) => {
    const headers = { 'content-type': 'application/json' }
    expect(errorOf(await client.send('POST', DOCUMENTS, { headers, payload }))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
  })
})

describe('the upload of a document', () => {
  test('returns 200 and JSON with the URL and the id of the document', async () => {
    const { feedDocumentId, url } = await client.createdDocument()
    expect(isStored(feedDocumentId)).toBe(false)
    const answer = await upload(url, '{}')
    expect(answer).toMatchObject({ status: 200, contentType: expect.stringContaining('application/json') })
    expect(JSON.parse(answer.body)).toEqual({ url, feedDocumentId })
    expect(isStored(feedDocumentId)).toBe(true)
  })

  test.each([JSON_TYPE, 'application/json', XML_TYPE, 'text/tab-separated-values; charset=iso-8859-1', 'anything'])(
    'accepts the declared content type %o',
    async (contentType) => {
      await client.uploaded('content', contentType)
    },
  )

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/json; charset=UTF-8',
    'text/xml; charset=UTF-8',
    null,
  ])(
    'is refused with the content type %o where "application/json; charset=UTF-8" was declared',
    async (contentType) => {
      const { feedDocumentId, url } = await client.createdDocument()
      const answer = await upload(url, '{}', contentType)
      expect(answer).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
      const given = contentType === null ? 'none' : `&quot;${contentType}&quot;`
      expect(answer.body).toContain(
        `<Message>The URL was signed for the content type &quot;${JSON_TYPE}&quot;, and the request has ${given}.</Message>`,
      )
      expect(isStored(feedDocumentId)).toBe(false)
    },
  )

  test('is accepted for 300 seconds, then refused as by S3; nothing is stored', async () => {
    const { url } = await client.createdDocument()
    const { feedDocumentId, url: unused } = await client.createdDocument()
    souk.clock.advance(300 * SECOND)
    expect((await upload(url, '{}')).status).toBe(200)
    souk.clock.advance(SECOND)
    expect(await upload(unused, '{}')).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      contentType: expect.stringContaining('xml'),
    })
    expect(isStored(feedDocumentId)).toBe(false)
    expect(errorOf(await client.createFeed({ inputFeedDocumentId: feedDocumentId })).status).toBe(400)
  })

  test('is refused when the URL was changed', async () => {
    const { feedDocumentId, url } = await client.createdDocument()
    const another = (await client.createdDocument()).feedDocumentId
    const before = stored()
    for (const changed of [
      url.replace(/X-Amz-Signature=./, 'X-Amz-Signature=-'),
      url.replace(feedDocumentId, another),
      url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'),
      url.replace('content-type%3B', ''),
      `${url}&x=1`,
    ]) {
      expect(changed).not.toBe(url)
      expect(await upload(changed, '{}')).toMatchObject({ status: 403 })
      // Only a valid signed URL reveals the expected content type.
      const odd = await upload(changed, '{}', 'text/odd')
      expect([odd.status, odd.body]).toEqual([403, expect.not.stringContaining(JSON_TYPE)])
    }
    expect(stored()).toEqual(before)
  })

  test('does not allow a download', async () => {
    const { url } = await client.createdDocument()
    await upload(url, '{}')
    const response = await fetch(url, { headers: { 'content-type': JSON_TYPE } })
    expect(response.status).toBe(403)
    await response.body?.cancel()
  })

  test.each<[string, (bytes: Uint8Array<ArrayBuffer>) => NonNullable<RequestInit['body']>]>([
    ['with a declared length', (bytes) => bytes],
    ['in chunks', (bytes) => new Blob([bytes]).stream()],
  ])('of 50 MB %s is refused, and nothing is stored', async (_how, bodyOf) => {
    const { feedDocumentId, url } = await client.createdDocument()
    const before = stored()
    const body = bodyOf(Buffer.alloc(50 * 1024 * 1024, ' ') as Uint8Array<ArrayBuffer>)
    const headers = { 'content-type': JSON_TYPE }
    const response = await fetch(url, { method: 'PUT', headers, body, duplex: 'half' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('<Code>EntityTooLarge</Code>')
    expect(stored()).toEqual(before)
    expect(errorOf(await client.createFeed({ inputFeedDocumentId: feedDocumentId }))).toMatchObject({
      status: 400,
      details: expect.stringContaining('uploaded'),
    })
  })

  test('may be as large as the limit', async () => {
    await client.uploaded(Buffer.alloc(MAX_BYTES, ' ') as Uint8Array<ArrayBuffer>)
  })

  test('may be repeated before a feed is created: the last one is used', async () => {
    const { feedDocumentId, url } = await client.createdDocument()
    const named = (name: string) => client.document([update('TWICE', newShoe({ item_name: [{ value: name }] }))])
    await upload(url, named('The first one'))
    await upload(url, named('The last one'))
    const response = await client.createFeed({ inputFeedDocumentId: feedDocumentId })
    await souk.idle()
    expect(await client.feed(response.json().feedId)).toMatchObject({ processingStatus: 'DONE' })
    const item = await client.get(`/listings/2021-08-01/items/${client.sellerId}/TWICE?marketplaceIds=ATVPDKIKX0DER`)
    expect(item.json().summaries).toMatchObject([{ itemName: 'The last one' }])
  })
})
