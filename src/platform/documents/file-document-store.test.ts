import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ManualClock } from '../clock/manual-clock.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'
import { SequentialIds } from '../ids/sequential-ids.ts'
import { FileDocumentStore } from './file-document-store.ts'
import { markFolder } from './folder-marker.ts'
import { createAbandonedUploadSweep } from './retention.ts'

let root: string
let folder: string
let clock: ManualClock
let store: FileDocumentStore

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'souk-files-'))
  folder = join(root, 'documents')
  clock = new ManualClock('2026-06-01T12:00:00.000Z')
  const publicUrl = () => 'https://souk.example'
  store = new FileDocumentStore({ folder, publicUrl, signingSecret: 'a-secret', clock, ids: new SequentialIds() })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const incoming = () => readdirSync(join(folder, '.incoming'))

async function* content(text: string, fail = false) {
  yield Buffer.from(text)
  if (fail) throw new Error('the source failed')
}

describe('documents in a folder', () => {
  test('create no folder before the first document', async () => {
    expect(await store.get('a')).toBeUndefined()
    await store.delete('a')
    await store.sweepAbandoned(clock.now())
    expect(existsSync(folder)).toBe(false)
  })

  test('leave no partial files, whether a write succeeds or fails', async () => {
    await store.put('a/b', content('whole'))
    await expect(store.put('a/b', content('half', true))).rejects.toThrow('the source failed')
    expect(incoming()).toEqual([])
    expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
  })

  // A test cannot fill the disk, so the system call fails as it would.
  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])(
    'on a disk that fails with %s are unavailable, not invalid',
    async (code) => {
      const handle = await open(root)
      await handle.close()
      const failure = Object.assign(new Error(`${code}: write`), { code, syscall: 'write' })
      const write = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValue(failure)
      try {
        await expect(store.put('a', content('x'))).rejects.toThrow(UnavailableError)
      } finally {
        write.mockRestore()
      }
      expect(incoming()).toEqual([])
      await store.put('a', content('x'))
    },
  )

  // A test cannot break the disk either. The first read is that of the digest, if there is one, and then that of the
  // content.
  test.each(['EIO', 'ESTALE', 'ETIMEDOUT', 'ENOTCONN'])(
    'that cannot be read because of %s are unavailable',
    async (code) => {
      await store.put('a', content('x'))
      const version = await store.version('a')
      const handle = await open(root)
      await handle.close()
      const failure = Object.assign(new Error(`${code}: i/o error`), { code, syscall: 'read' })
      const read = async (asked?: string) => buffer((await store.get('a', undefined, asked))?.content as Readable)
      for (const method of ['stat', 'read']) {
        const failing = vi.spyOn(Object.getPrototypeOf(handle), method).mockRejectedValue(failure)
        await expect(read()).rejects.toThrow(UnavailableError)
        await expect(read(version)).rejects.toThrow(UnavailableError)
        await expect(store.version('a')).rejects.toThrow(UnavailableError)
        failing.mockRestore()
      }
      expect(String(await read(version))).toBe('x')
    },
  )

  test('whose source fails as a disk does fail with the error of the source', async () => {
    const failure = Object.assign(new Error('the client is gone'), { code: 'ECONNRESET', syscall: 'read' })
    async function* source() {
      yield Buffer.from('half')
      throw failure
    }
    await expect(store.put('a', source())).rejects.toBe(failure)
  })

  test('of a volume that is not mounted are unavailable, not missing, and nothing is written in its place', async () => {
    const ids = new SequentialIds()
    const marked = new FileDocumentStore({
      folder,
      publicUrl: () => '',
      signingSecret: 'x',
      clock,
      ids,
      isMarked: true,
    })
    await markFolder(folder)
    await marked.put('a', content('x'))
    expect(await marked.head('absent')).toBeUndefined()
    renameSync(folder, `${folder}-elsewhere`)
    const calls = [
      () => marked.get('a'),
      () => marked.head('a'),
      () => marked.version('a'),
      () => marked.delete('a'),
      () => marked.put('b', content('y')),
    ]
    for (const place of ['absent', 'empty']) {
      if (place === 'empty') mkdirSync(folder)
      for (const call of calls) await expect(call()).rejects.toThrow(UnavailableError)
    }
    expect(readdirSync(folder)).toEqual([])
    rmdirSync(folder)
    renameSync(`${folder}-elsewhere`, folder)
    expect(await marked.head('a')).toMatchObject({ bytes: 1 })
  })

  test('are dated by the clock, not by the disk', async () => {
    await store.put('a', content('x'))
    expect((await store.head('a'))?.modifiedAt).toEqual(clock.now())
  })

  test('are never found below a document, and a folder is not a document', async () => {
    await store.put('a/b', content('x'))
    expect(await store.get('a/b/c')).toBeUndefined()
    expect(await store.get('a')).toBeUndefined()
    expect(await store.head('a')).toBeUndefined()
    await store.delete('a/b/c')
    await store.delete('a')
    expect(await store.head('a/b')).toMatchObject({ bytes: 1 })
  })

  test('left incomplete by a killed process are swept once they are old', async () => {
    mkdirSync(join(folder, '.incoming'), { recursive: true })
    const writtenAt = (name: string) => {
      writeFileSync(join(folder, '.incoming', name), 'half')
      return statSync(join(folder, '.incoming', name)).ctime
    }
    const limit = new Date(writtenAt('old').getTime() + 1)
    while (writtenAt('fresh') < limit);
    await store.sweepAbandoned(limit)
    expect(incoming()).toEqual(['fresh'])
  })

  test('that another thread writes are not swept, however far the clock was moved', async () => {
    mkdirSync(join(folder, '.incoming'), { recursive: true })
    writeFileSync(join(folder, '.incoming', 'half'), 'half')
    clock.advance(48 * 60 * 60 * 1000)
    const sweep = createAbandonedUploadSweep(store)
    await sweep.sweep({ clock, database: undefined as never }, new AbortController().signal)
    expect(incoming()).toEqual(['half'])
  })

  test('that are being written are not swept, however far the clock was moved', async () => {
    async function* slow() {
      yield Buffer.from('one, ')
      await store.sweepAbandoned(new Date('9999-01-01T00:00:00Z'))
      yield Buffer.from('two')
    }
    await store.put('a', slow())
    expect(await store.head('a')).toMatchObject({ bytes: 8 })
  })

  test('have signed URLs with the host and port of the public URL', async () => {
    const publicUrl = () => 'http://souk.example:8080'
    const other = new FileDocumentStore({ folder, publicUrl, signingSecret: 'x', clock, ids: new SequentialIds() })
    expect(await other.presignPut('a/b', { contentType: 'text/xml' })).toMatch(
      /^http:\/\/souk\.example:8080\/documents\/a\/b\?/,
    )
  })

  test('have signed URLs that are valid in every store with the same secret, and in no other', async () => {
    const address = new URL(await store.presignGet('a', { contentType: 'text/xml' }))
    const request = {
      method: 'GET',
      path: address.pathname,
      query: address.search.slice(1),
      contentType: undefined,
    }
    const beside = (signingSecret: string, url = 'https://souk.example') =>
      new FileDocumentStore({ folder, publicUrl: () => url, signingSecret, clock, ids: new SequentialIds() })
    expect(await beside('a-secret').verifyUrl(request)).toEqual({ key: 'a', labels: { contentType: 'text/xml' } })
    const mismatch = { code: 'SignatureDoesNotMatch' }
    await expect(beside('another').verifyUrl(request)).rejects.toMatchObject(mismatch)
    await expect(beside('a-secret', 'https://other.example').verifyUrl(request)).rejects.toMatchObject(mismatch)
  })
})
