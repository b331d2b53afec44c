import { createHash } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { DocumentReplacedError, type DocumentStore } from '../../src/platform/documents/port.ts'
import { documentStoreKinds } from '../support/documents.ts'

const MEGABYTE = 1024 * 1024
const TSV = 'text/tab-separated-values; charset=UTF-8'
const SIGNING_PARAMETERS = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
]
// Parameters that the AWS client adds to signed URLs.
const CLIENT_PARAMETERS = ['X-Amz-Content-Sha256', 'x-id']

async function* from(...chunks: (string | Uint8Array)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function* megabytes(count: number, { thenFail = false } = {}) {
  for (let index = 0; index < count; index++) yield Buffer.alloc(MEGABYTE, index)
  if (thenFail) throw new Error('the source failed')
}

async function digestOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}

describe.each(Object.entries(documentStoreKinds))('documents %s', (_kind, { start, cannotShow }) => {
  let store: DocumentStore
  let clock: ManualClock | undefined
  let stop: () => Promise<void>

  beforeAll(async () => {
    ;({ store, clock, stop } = await start())
  })
  afterAll(() => stop())

  const read = async (key: string, range?: { first: number; last: number }) => {
    const document = await store.get(key, range)
    return document && text(document.content)
  }

  test('are read as stored', async () => {
    expect(await store.put('round/trip', from('one, ', 'two'))).toEqual({ bytes: 8 })
    expect(await read('round/trip')).toBe('one, two')
    expect(await store.head('round/trip')).toEqual({ bytes: 8, modifiedAt: expect.any(Date) })
  })

  test('may be empty', async () => {
    expect(await store.put('empty', from())).toEqual({ bytes: 0 })
    expect(await read('empty')).toBe('')
    expect(await store.head('empty')).toMatchObject({ bytes: 0 })
  })

  test('are replaced completely', async () => {
    await store.put('replaced', from('a long first version'))
    await store.put('replaced', from('second'))
    expect(await read('replaced')).toBe('second')
  })

  test('have the same version only for the same content', async () => {
    expect(await store.version('versions')).toBeUndefined()
    await store.put('versions', from('first'))
    const version = await store.version('versions')
    expect(version).toEqual(expect.any(String))
    await store.put('versions', from('other'))
    expect(await store.version('versions')).not.toBe(version)
    await store.put('versions', from('fi', 'rst'))
    expect(await store.version('versions')).toBe(version)
  })

  test('are read in the requested version or not at all', async () => {
    await store.put('asked', from('first'))
    const version = await store.version('asked')
    const document = await store.get('asked', undefined, version)
    // Replaced during the read: the requested version is read.
    await store.put('asked', from('other'))
    expect(document && (await text(document.content))).toBe('first')
    await expect(store.get('asked', undefined, version)).rejects.toThrow(DocumentReplacedError)
    await store.delete('asked')
    expect(await store.get('asked', undefined, version)).toBeUndefined()
  })

  test('may be larger than a part of an upload', async () => {
    expect(await store.put('large', megabytes(20))).toEqual({ bytes: 20 * MEGABYTE })
    const document = await store.get('large')
    expect(await digestOf(document?.content ?? from())).toBe(await digestOf(megabytes(20)))
  })

  test.each([0, 12])('stay unchanged when an upload fails after %i MB', async (count) => {
    await store.put('kept', from('what was there'))
    await expect(store.put('kept', megabytes(count, { thenFail: true }))).rejects.toThrow('the source failed')
    expect(await read('kept')).toBe('what was there')
    await expect(store.put('never', megabytes(count, { thenFail: true }))).rejects.toThrow('the source failed')
    expect(await store.head('never')).toBeUndefined()
  })

  test('written twice concurrently are one of the two', async () => {
    await Promise.all([store.put('contested', megabytes(3)), store.put('contested', from('small'))])
    const { bytes } = (await store.head('contested')) ?? {}
    const document = await store.get('contested')
    expect((await buffer(document?.content ?? from())).length).toBe(bytes)
    expect([5, 3 * MEGABYTE]).toContain(bytes)
  })

  test('are read in part', async () => {
    await store.put('digits', from('0123456789'))
    expect(await read('digits', { first: 2, last: 4 })).toBe('234')
    expect(await read('digits', { first: 7, last: 99 })).toBe('789')
    const part = await store.get('digits', { first: 0, last: 0 })
    expect(part?.bytes).toBe(10)
    part?.content.destroy()
    await expect(store.get('digits', { first: 10, last: 12 })).rejects.toThrow(RangeError)
  })

  test('that do not exist are undefined, and can be deleted', async () => {
    expect(await store.get('absent')).toBeUndefined()
    expect(await store.get('absent', { first: 0, last: 1 })).toBeUndefined()
    expect(await store.head('absent')).toBeUndefined()
    await store.delete('absent')
  })

  test('do not exist once deleted', async () => {
    await store.put('deleted/a', from('x'))
    await store.put('deleted/b', from('y'))
    await store.delete('deleted/a')
    expect(await store.get('deleted/a')).toBeUndefined()
    expect(await read('deleted/b')).toBe('y')
    expect(await store.get('deleted')).toBeUndefined()
  })

  test.each(['', '../x', '/x', 'a//b', 'a\\b', 'a\0', '.incoming/x'])('never have the key %j', async (key) => {
    await expect(store.put(key, from('x'))).rejects.toThrow('Invalid document key')
    await expect(store.get(key)).rejects.toThrow('Invalid document key')
    await expect(store.head(key)).rejects.toThrow('Invalid document key')
    await expect(store.delete(key)).rejects.toThrow('Invalid document key')
    await expect(store.presignGet(key, { contentType: TSV })).rejects.toThrow('Invalid document key')
    await expect(store.presignPut(key, { contentType: TSV })).rejects.toThrow('Invalid document key')
  })

  describe('with a signed URL', () => {
    test('allow a download without credentials', async () => {
      await store.put('shared', from('sku\tprice\n'))
      const response = await fetch(await store.presignGet('shared', { contentType: TSV }))
      expect(response.status).toBe(200)
      expect(response.headers.get('content-length')).toBe('10')
      expect(response.headers.has('content-encoding')).toBe(false)
      expect(await response.text()).toBe('sku\tprice\n')
    })

    test('are downloaded in part', async () => {
      await store.put('shared', from('sku\tprice\n'))
      const headers = { range: 'bytes=4-' }
      const response = await fetch(await store.presignGet('shared', { contentType: TSV }), { headers })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe('bytes 4-9/10')
      expect(await response.text()).toBe('price\n')
    })

    test('have exactly the content type of the URL', async ({ skip }) => {
      skip(Boolean(cannotShow.labels), cannotShow.labels)
      await store.put('labelled', from('x'))
      const response = await fetch(await store.presignGet('labelled', { contentType: TSV }))
      expect(response.headers.get('content-type')).toBe(TSV)
    })

    test('are decompressed by the client only if the URL declares the encoding', async ({ skip }) => {
      skip(Boolean(cannotShow.labels), cannotShow.labels)
      await store.put('packed', from(gzipSync('hello')))
      const labelled = await fetch(await store.presignGet('packed', { contentType: TSV, contentEncoding: 'gzip' }))
      expect(labelled.headers.get('content-encoding')).toBe('gzip')
      expect(await labelled.text()).toBe('hello')
      const plain = await fetch(await store.presignGet('packed', { contentType: TSV }))
      expect(plain.headers.has('content-encoding')).toBe(false)
      expect(gunzipSync(await plain.arrayBuffer()).toString()).toBe('hello')
    })

    test('allow an upload without credentials', async () => {
      const address = await store.presignPut('uploaded', { contentType: TSV })
      const response = await fetch(address, { method: 'PUT', headers: { 'content-type': TSV }, body: 'from outside' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(await read('uploaded')).toBe('from outside')
    })

    test('are uploaded with the signed content type only', async ({ skip }) => {
      skip(Boolean(cannotShow.signatures), cannotShow.signatures)
      const address = await store.presignPut('typed', { contentType: TSV })
      const headers = { 'content-type': 'text/xml' }
      expect((await fetch(address, { method: 'PUT', headers, body: 'x' })).status).toBe(403)
      expect(await store.head('typed')).toBeUndefined()
    })

    test('have it for five minutes, signed like S3, without other parameters', async () => {
      const labels = ['response-content-encoding', 'response-content-type']
      const download = new URL(await store.presignGet('a/b', { contentType: TSV, contentEncoding: 'gzip' }))
      const upload = new URL(await store.presignPut('a/b', { contentType: TSV }))
      const namesOf = (address: URL) =>
        [...address.searchParams.keys()].filter((name) => !CLIENT_PARAMETERS.includes(name)).sort()
      expect(namesOf(download)).toEqual([...SIGNING_PARAMETERS, ...labels])
      expect(namesOf(upload)).toEqual(SIGNING_PARAMETERS)
      expect(download.searchParams.get('X-Amz-SignedHeaders')).toBe('host')
      expect(upload.searchParams.get('X-Amz-SignedHeaders')).toBe('content-type;host')
      const hashed = new URL(await store.presignPut('a/b', { contentMd5: 'XUFAKrxLKna5cZ2REBfFkg==' }))
      expect(namesOf(hashed)).toEqual(SIGNING_PARAMETERS)
      expect(hashed.searchParams.get('X-Amz-SignedHeaders')).toBe('content-md5;host')
      for (const { searchParams, pathname } of [download, upload]) {
        expect(searchParams.get('X-Amz-Expires')).toBe('300')
        expect(searchParams.get('X-Amz-Credential')).toMatch(/^AKIA\w+\/\d{8}\/us-east-1\/s3\/aws4_request$/)
        expect(pathname).toMatch(/\/a\/b$/)
      }
    })

    test('have a different URL a second later', async ({ skip }) => {
      skip(Boolean(cannotShow.time), cannotShow.time)
      const first = await store.presignGet('x', { contentType: TSV })
      clock?.advance(1000)
      expect(await store.presignGet('x', { contentType: TSV })).not.toBe(first)
    })
  })
})
