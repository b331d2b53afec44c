import { buffer } from 'node:stream/consumers'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { defaultDeadlines } from '../../src/platform/aws/deadlines.ts'
import { S3DocumentStore } from '../../src/platform/documents/s3-document-store.ts'

const MEGABYTE = 1024 * 1024
const TRANSFER_MILLISECONDS = 3_000

let server: FauxqsServer
let store: S3DocumentStore
beforeAll(async () => {
  server = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
  server.createBucket('documents')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST').stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
  store = new S3DocumentStore({
    bucket: 'documents',
    prefix: '',
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    deadlines: { ...defaultDeadlines, transferMilliseconds: TRANSFER_MILLISECONDS },
  })
})
afterAll(async () => {
  store.close()
  vi.unstubAllEnvs()
  await server.stop()
})

async function* megabytes(count: number) {
  for (let index = 0; index < count; index++) yield Buffer.alloc(MEGABYTE, index)
}
/** Longer than S3 itself may take for anything. */
const takeTime = () => new Promise((resolve) => setTimeout(resolve, TRANSFER_MILLISECONDS + 500))

test('a slow source is not cut off, and its error is passed on unchanged', async () => {
  async function* slow({ fails }: { fails: boolean }) {
    yield* megabytes(6)
    await takeTime()
    if (fails) throw new Error('the source failed')
    yield* megabytes(1)
  }
  expect(await store.put('slow', slow({ fails: false }))).toEqual({ bytes: 7 * MEGABYTE })
  await expect(store.put('slow', slow({ fails: true }))).rejects.toThrow(/^the source failed$/)
})

test('a slow reader is not cut off', async () => {
  await store.put('large', megabytes(16))
  const { content } = (await store.get('large')) ?? {}
  if (!content) throw new Error('There is no document')
  const chunks = content[Symbol.asyncIterator]()
  const { value: first } = await chunks.next()
  await takeTime()
  const rest = await buffer({ [Symbol.asyncIterator]: () => chunks })
  expect(first.length + rest.length).toBe(16 * MEGABYTE)
})
