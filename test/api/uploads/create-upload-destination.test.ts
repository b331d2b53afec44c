import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upload as uploadDocument } from '../../support/feeds.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { DAY, HOUR, JP, SECOND, SellerClient, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'

const UPLOADS = '/uploads/2020-11-01/uploadDestinations'
const INVOICE = 'messaging/v1/orders/123-1234567-1234567/messages/invoice'
const A_PLUS = 'aplus/2020-11-01/contentDocuments'
const CONTENT = 'the invoice'

const folder = mkdtempSync(join(tmpdir(), 'souk-uploads-'))
let souk: TestSouk
let client: SellerClient
beforeAll(async () => {
  souk = await startTestSouk({ documents: folder })
  client = new SellerClient(souk)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const md5 = (content: string) => createHash('md5').update(content).digest('base64')
const create = (resource: string, query: Record<string, string> = {}) => {
  const parameters = new URLSearchParams({ marketplaceIds: US, contentMD5: md5(CONTENT), ...query })
  return client.send('POST', `${UPLOADS}/${resource}?${parameters}`)
}
interface Created {
  uploadDestinationId: string
  url: string
  headers: Record<string, string>
}
async function created(resource = INVOICE, query: Record<string, string> = {}): Promise<Created> {
  const response = await create(resource, query)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().payload
}
const isStored = (id: string) => existsSync(join(folder, 'uploads', id))

/** PUT as a client does. Returns the status, and the code of an error. */
async function put(url: string, headers: Record<string, string>, body: string): Promise<[number, string?]> {
  const response = await fetch(url, { method: 'PUT', headers, body })
  const text = await response.text()
  const code = /<Code>(\w+)</.exec(text)?.[1]
  return code === undefined ? [response.status] : [response.status, code]
}

describe('createUploadDestinationForResource', () => {
  test('returns 201 with an id, a signed URL and the headers of the upload', async () => {
    const response = await create(INVOICE, { contentType: 'application/pdf' })
    expect(response.statusCode).toBe(201)
    const { payload } = response.json()
    expect(payload).toEqual({
      uploadDestinationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringContaining(`${souk.url}/documents/uploads/`),
      headers: { 'Content-MD5': md5(CONTENT), 'Content-Type': 'application/pdf' },
    })
    expect(Object.fromEntries(new URL(payload.url).searchParams)).toMatchObject({
      'X-Amz-Expires': '300',
      'X-Amz-SignedHeaders': 'content-md5;content-type;host',
    })
    if (modelsArePresent) conformsTo('uploads_2020-11-01.json', 'CreateUploadDestinationResponse', response.json())
  })

  test.each([
    ['with slashes', INVOICE],
    ['with a leading slash', `/${INVOICE}`],
    ['encoded, as the SDK sends it', encodeURIComponent(INVOICE)],
    ['encoded with a leading slash', encodeURIComponent(`/${INVOICE}`)],
  ])('accepts a resource %s', async (_how, resource) => {
    await created(resource)
  })

  test('accepts the hash in hex, and returns it as the header needs it', async () => {
    const hex = createHash('md5').update(CONTENT).digest('hex')
    expect((await created(INVOICE, { contentMD5: hex })).headers).toEqual({ 'Content-MD5': md5(CONTENT) })
  })

  test.each([
    ['no hash', INVOICE, { contentMD5: '' }],
    ['a hash that is none', INVOICE, { contentMD5: 'abc' }],
    ['a SHA-256', INVOICE, { contentMD5: createHash('sha256').update('x').digest('base64') }],
    ['no content type for A+ content', A_PLUS, {}],
    ['a content type with a line break', INVOICE, { contentType: 'text/plain\r\nx: y' }],
    ['two marketplaces', INVOICE, { marketplaceIds: `${US},${JP}` }],
    ['a marketplace that does not exist', INVOICE, { marketplaceIds: 'NOWHERE' }],
  ])('refuses %s with 400', async (_what, resource, query) => {
    expect(errorOf(await create(resource, query))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test.each(['', 'x', 'feeds/2021-06-30/documents', `${INVOICE}/more`, '../../etc/passwd', '%00'])(
    'returns 404 for the resource %j',
    async (resource) => {
      expect(errorOf(await create(encodeURIComponent(resource)))).toMatchObject({ status: 404, code: 'NotFound' })
    },
  )

  test("requires a seller's token", async () => {
    const parameters = new URLSearchParams({ marketplaceIds: US, contentMD5: md5(CONTENT) })
    expect(errorOf(await souk.post(`${UPLOADS}/${INVOICE}?${parameters}`))).toMatchObject({ status: 403 })
  })
})

describe('an upload', () => {
  test('with the headers of the response is stored', async () => {
    const { uploadDestinationId, url, headers } = await created(A_PLUS, { contentType: 'image/png' })
    expect(isStored(uploadDestinationId)).toBe(false)
    expect(await put(url, headers, CONTENT)).toEqual([200])
    expect(isStored(uploadDestinationId)).toBe(true)
  })

  test('without a declared content type may have any', async () => {
    const { url, headers } = await created()
    expect(await put(url, { ...headers, 'content-type': 'text/odd' }, CONTENT)).toEqual([200])
    expect(await put(url, headers, CONTENT)).toEqual([200])
  })

  test('of other content, with another hash or without one is refused, and nothing is stored', async () => {
    const { uploadDestinationId, url, headers } = await created()
    expect(await put(url, headers, 'another invoice')).toEqual([400, 'BadDigest'])
    const another = { 'Content-MD5': md5('another invoice') }
    expect(await put(url, another, 'another invoice')).toEqual([403, 'SignatureDoesNotMatch'])
    expect(await put(url, {}, CONTENT)).toEqual([403, 'SignatureDoesNotMatch'])
    const unsigned = url.replace('content-md5%3B', '')
    expect(unsigned).not.toBe(url)
    expect(await put(unsigned, {}, CONTENT)).toEqual([403, 'SignatureDoesNotMatch'])
    expect(isStored(uploadDestinationId)).toBe(false)
  })

  test('is refused after 300 seconds', async () => {
    const { url, headers } = await created()
    souk.clock.advance(301 * SECOND)
    expect(await put(url, headers, CONTENT)).toEqual([403, 'AccessDenied'])
  })

  test('is deleted after two days', async () => {
    const { uploadDestinationId, url, headers } = await created()
    await put(url, headers, CONTENT)
    souk.clock.advance(2 * DAY - HOUR)
    const later = await created()
    await put(later.url, later.headers, CONTENT)
    souk.clock.advance(2 * HOUR)
    await waitFor(
      () => isStored(uploadDestinationId),
      (stored) => !stored,
    )
    expect(isStored(later.uploadDestinationId)).toBe(true)
  })
})

test('a feed document with a wrong Content-MD5 is refused, as by S3', async () => {
  const response = await client.post('/feeds/2021-06-30/documents', { contentType: 'application/json' })
  const { url } = response.json()
  const headers = { 'content-type': 'application/json', 'content-md5': md5('x') }
  expect(await put(url, headers, '{}')).toEqual([400, 'BadDigest'])
  expect(await put(url, { ...headers, 'content-md5': 'x' }, '{}')).toEqual([400, 'InvalidDigest'])
  expect((await uploadDocument(url, '{}', 'application/json')).status).toBe(200)
})
