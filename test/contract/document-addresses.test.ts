import { readdirSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_UPLOAD_BYTES, startFileDocuments } from '../support/documents.ts'

const TSV = 'text/tab-separated-values; charset=UTF-8'

let documents: Awaited<ReturnType<typeof startFileDocuments>>
let download: string
let upload: string

beforeAll(async () => {
  documents = await startFileDocuments()
})
afterAll(() => documents.stop())

beforeEach(async () => {
  await documents.store.put('folder/document', content('0123456789'))
  await documents.store.delete('folder/upload')
  download = await documents.store.presignGet('folder/document', { contentType: TSV })
  upload = await documents.store.presignPut('folder/upload', { contentType: TSV })
})

async function* content(body: string) {
  yield Buffer.from(body)
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
  /** Of an error. */
  code: string | undefined
}

/** Sends a URL as it is: fetch would normalize it. */
function send(
  method: string,
  address: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
  agent?: Agent,
): Promise<Answer> {
  const { hostname, port } = new URL(documents.url)
  const path = address.replace(documents.url, '')
  return new Promise((resolve, reject) => {
    const sending = request({ method, hostname, port, path, headers, ...(agent && { agent }) }, async (response) => {
      const body = await text(response)
      const [, code] = /<Code>(\w+)<\/Code>/.exec(body) ?? []
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body, code })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

const get = (address: string, headers?: Record<string, string>) => send('GET', address, headers)
const put = (address: string, body: string, contentType = TSV) =>
  send('PUT', address, { 'content-type': contentType }, body)

/** The URL with one parameter changed or removed. */
function change(address: string, name: string, value: string | undefined): string {
  const url = new URL(address)
  expect(url.searchParams.has(name)).toBe(true)
  if (value === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url.href
}

const stored = async (key: string) => {
  const document = await documents.store.get(key)
  return document && text(document.content)
}

describe('a download', () => {
  test('has the headers that a client needs to verify and resume it', async () => {
    const { status, headers, body } = await get(download)
    expect({ status, body }).toEqual({ status: 200, body: '0123456789' })
    expect(headers).toMatchObject({
      'content-type': TSV,
      'content-length': '10',
      'accept-ranges': 'bytes',
      'last-modified': documents.clock.now().toUTCString(),
      etag: expect.stringMatching(/^"[\w-]+"$/),
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  test.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ])('of %s is that part', async (range, part, contentRange) => {
    const { status, headers, body } = await get(download, { range })
    expect({ status, body }).toEqual({ status: 206, body: part })
    expect(headers).toMatchObject({ 'content-range': contentRange, 'content-length': String(part.length) })
  })

  test('of a range beyond the document returns 416 with its length', async () => {
    const { status, code, headers } = await get(download, { range: 'bytes=10-' })
    expect({ status, code }).toEqual({ status: 416, code: 'InvalidRange' })
    expect(headers['content-range']).toBe('bytes */10')
  })

  test('that is resumed after the document changed starts over', async () => {
    const { etag = '' } = (await get(download)).headers
    const resumed = { range: 'bytes=5-', 'if-range': etag }
    expect(await get(download, resumed)).toMatchObject({ status: 206, body: '56789' })
    await documents.store.put('folder/document', content('changed'))
    expect(await get(download, resumed)).toMatchObject({ status: 200, body: 'changed' })
  })

  test('of a document that was never stored or was removed returns 404', async () => {
    const address = await documents.store.presignGet('folder/nothing', { contentType: TSV })
    expect(await get(address)).toMatchObject({ status: 404, code: 'NoSuchKey' })
    expect(await get(address, { range: 'bytes=0-1' })).toMatchObject({ status: 404, code: 'NoSuchKey' })
    const folder = await documents.store.presignGet('folder', { contentType: TSV })
    expect(await get(folder)).toMatchObject({ status: 404, code: 'NoSuchKey' })
  })
})

describe('a signed URL', () => {
  test('works for five minutes', async () => {
    documents.clock.advance(299_000)
    expect((await get(download)).status).toBe(200)
    documents.clock.advance(2_000)
    const { status, code, body } = await get(download)
    expect({ status, code }).toEqual({ status: 403, code: 'AccessDenied' })
    expect(body).toContain('expired')
    expect(await put(upload, 'late')).toMatchObject({ status: 403, code: 'AccessDenied' })
    expect(await stored('folder/upload')).toBeUndefined()
  })

  test('signed for a future time is refused', async () => {
    documents.clock.advance(86_400_000)
    const address = await documents.store.presignGet('folder/document', { contentType: TSV })
    documents.clock.reset()
    expect(await get(address)).toMatchObject({ status: 403, code: 'AccessDenied' })
  })

  test('works whatever the Host header is: the signed host is ours', async () => {
    expect((await get(download, { host: 'evil.example' })).status).toBe(200)
    const elsewhere = new URL(download)
    elsewhere.host = 'evil.example'
    expect(new URL(download).host).toBe(new URL(documents.url).host)
    expect((await get(elsewhere.pathname + elsewhere.search)).status).toBe(200)
  })

  test.each<[string, (address: string) => string]>([
    ['another signature', (address) => change(address, 'X-Amz-Signature', 'a'.repeat(64))],
    ['a signature of another length', (address) => change(address, 'X-Amz-Signature', 'a')],
    ['no value for its signature', (address) => change(address, 'X-Amz-Signature', '')],
    ['another key', (address) => address.replace('folder/document', 'folder/other')],
    ['another label', (address) => change(address, 'response-content-type', 'text/html')],
    ['a label more', (address) => `${address}&response-content-encoding=gzip`],
    ['a parameter more', (address) => `${address}&x=1`],
    ['a parameter more that no signature covers', (address) => `${address}&x-amz-signature=1`],
    ['another date', (address) => change(address, 'X-Amz-Date', '20260601T120001Z')],
    ['an invalid date', (address) => change(address, 'X-Amz-Date', 'yesterday')],
    ['a date that does not exist', (address) => change(address, 'X-Amz-Date', '20261399T999999Z')],
    ['another algorithm', (address) => change(address, 'X-Amz-Algorithm', 'none')],
    ['another owner', (address) => change(address, 'X-Amz-Credential', 'AKIA/20260601/us-east-1/s3/aws4_request')],
    ['other signed headers', (address) => change(address, 'X-Amz-SignedHeaders', '')],
    ['a duplicate parameter', (address) => `${address}&X-Amz-Expires=300`],
    ['a duplicate label', (address) => `${address}&response-content-type=text%2Fhtml`],
    ['its key written differently', (address) => address.replace('folder/document', 'folder%2Fdocument')],
    ['a broken percent-encoding', (address) => `${address}&a=%zz`],
    ['__proto__', (address) => `${address}&__proto__=1`],
  ])('with %s is refused', async (_what, tamper) => {
    expect(await get(tamper(download))).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
  })

  test.each([
    ['another lifetime', '604800'],
    ['a lifetime without end', 'Infinity'],
    ['no lifetime', undefined],
  ])('with %s is refused', async (_what, value) => {
    const answer = await get(change(download, 'X-Amz-Expires', value))
    expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' })
  })

  test.each(['X-Amz-Algorithm', 'X-Amz-Date', 'X-Amz-SignedHeaders', 'X-Amz-Credential', 'response-content-type'])(
    'without %s is refused',
    async (name) => {
      expect(await get(change(download, name, undefined))).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    },
  )

  test('without its signature is unsigned', async () => {
    const expected = { status: 403, code: 'AccessDenied', body: expect.stringContaining('not signed') }
    expect(await get(change(download, 'X-Amz-Signature', undefined))).toMatchObject(expected)
    expect(await get('/documents/folder/document')).toMatchObject(expected)
    expect(await put('/documents/folder/document', 'x')).toMatchObject(expected)
    expect(await stored('folder/document')).toBe('0123456789')
  })

  test.each(['PUT', 'DELETE', 'POST', 'PATCH', 'HEAD', 'OPTIONS'])(
    'for downloading does not allow %s',
    async (method) => {
      const answer = await send(method, download, { 'content-type': TSV })
      expect(answer.status).toBe(403)
      if (method !== 'HEAD') expect(answer.code).toBe('SignatureDoesNotMatch')
      expect(await stored('folder/document')).toBe('0123456789')
    },
  )

  test('for uploading does not allow downloading', async () => {
    await put(upload, 'mine')
    expect(await get(upload)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    expect(await get(upload, { 'content-type': TSV })).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
  })

  test('is refused in XML, with the request id of the header', async () => {
    const { body, headers } = await get('/documents/x')
    expect(headers['content-type']).toBe('application/xml')
    expect(body).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>AccessDenied<\/Code><Message>/)
    expect(body).toContain(`<RequestId>${headers['x-amzn-requestid']}</RequestId></Error>`)
  })
})

describe('an unsafe path', () => {
  test.each([
    '/documents/../documents/folder/document',
    '/documents/../../etc/passwd',
    '/documents/folder/../folder/document',
    '/documents/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/documents/..%5c..%5cx',
    '/documents/..\\..\\x',
    '/documents/.incoming/upload-0001',
    '/documents//etc/passwd',
    '/documents/',
    `/documents/${'a'.repeat(600)}`,
  ])('is refused, signed or not: %s', async (path) => {
    const { search } = new URL(download)
    expect(await get(path)).toMatchObject({ status: 403, code: 'AccessDenied' })
    expect(await get(path + search)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    expect(await put(path + new URL(upload).search, 'x')).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
  })

  test.each(['/documents/%zz', '/documents/folder/document%00'])(
    'is a malformed request when it is %s',
    async (path) => {
      expect((await get(path + new URL(download).search)).status).toBe(400)
    },
  )
})

describe('an upload', () => {
  const incoming = () => readdirSync(join(documents.folder, '.incoming'))

  test('replaces an earlier upload, and may be empty', async () => {
    expect(await put(upload, 'first')).toMatchObject({ status: 200, body: '' })
    expect(await put(upload, '')).toMatchObject({ status: 200, body: '' })
    expect(await stored('folder/upload')).toBe('')
  })

  test('may be chunked, without a length', async () => {
    const parts = ReadableStream.from(['one, ', 'two'].map((part) => Buffer.from(part)))
    const init = { method: 'PUT', headers: { 'content-type': TSV }, body: parts, duplex: 'half' } as RequestInit
    expect((await fetch(upload, init)).status).toBe(200)
    expect(await stored('folder/upload')).toBe('one, two')
  })

  test.each(['text/tab-separated-values', `${TSV}; x=1`, 'text/TAB-separated-values; charset=UTF-8', 'nonsense', ''])(
    'with the content type %j instead of the signed one is 403 and stores nothing',
    async (contentType) => {
      const expected = { status: 403, code: 'SignatureDoesNotMatch' }
      expect(await put(upload, 'x', contentType)).toMatchObject(expected)
      expect(await stored('folder/upload')).toBeUndefined()
    },
  )

  test('may have any content type that was signed, even an invalid one', async () => {
    const address = await documents.store.presignPut('folder/upload', { contentType: 'nonsense' })
    expect(await put(address, 'x', 'nonsense')).toMatchObject({ status: 200 })
    expect(await stored('folder/upload')).toBe('x')
  })

  test('that declares too large a length is refused before it is sent, and changes nothing', async () => {
    await put(upload, 'what was there')
    const headers = { 'content-type': TSV, 'content-length': String(MAX_UPLOAD_BYTES + 1) }
    const { hostname, port } = new URL(documents.url)
    const status = await new Promise((resolve, reject) => {
      const path = upload.replace(documents.url, '')
      const sending = request({ method: 'PUT', hostname, port, path, headers }, (response) => {
        resolve(response.statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(400)
    expect(await stored('folder/upload')).toBe('what was there')
  })

  test('that exceeds the limit is refused, changes nothing, and keeps the connection usable', async () => {
    await put(upload, 'what was there')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = { 'content-type': TSV, 'transfer-encoding': 'chunked' }
    const tooLarge = Buffer.alloc(MAX_UPLOAD_BYTES + 1024 * 1024)
    const answer = await send('PUT', upload, headers, tooLarge, agent)
    expect(answer).toMatchObject({ status: 400, code: 'EntityTooLarge' })
    expect(await stored('folder/upload')).toBe('what was there')
    expect(incoming()).toEqual([])
    expect(await send('GET', download, {}, undefined, agent)).toMatchObject({ status: 200 })
    agent.destroy()
  })

  test('that is cut off changes nothing', async () => {
    await put(upload, 'what was there')
    const { port } = new URL(documents.url)
    const socket = connect(Number(port), '127.0.0.1')
    const path = upload.replace(documents.url, '')
    socket.write(`PUT ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${TSV}\r\ncontent-length: 100\r\n\r\npart`)
    await expect.poll(incoming).toHaveLength(1)
    socket.destroy()
    await expect.poll(incoming).toEqual([])
    expect(await stored('folder/upload')).toBe('what was there')
  })

  test('ends an unfinished upload to the same URL, so that one URL takes the disk space of one document', async () => {
    const { port } = new URL(documents.url)
    const start = (letter: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      const path = upload.replace(documents.url, '')
      socket.write(
        `PUT ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${TSV}\r\ncontent-length: 4\r\n\r\n${letter}`,
      )
      return socket
    }
    const first = start('a')
    await expect.poll(incoming).toHaveLength(1)
    const [firstName] = incoming()
    const second = start('b')
    await expect.poll(() => incoming().filter((name) => name !== firstName)).toHaveLength(1)
    await expect.poll(incoming).toHaveLength(1)
    first.write('aaa')
    expect(await text(first)).toContain('Another upload to this URL has begun.')
    second.write('bbb')
    expect(await text(second)).toContain('200 OK')
    expect(await stored('folder/upload')).toBe('bbbb')
  })
})
