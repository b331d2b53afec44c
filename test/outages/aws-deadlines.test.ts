import { buffer } from 'node:stream/consumers'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AwsDeadlines, defaultDeadlines } from '../../src/platform/aws/deadlines.ts'
import { S3DocumentStore, type S3DocumentStoreOptions } from '../../src/platform/documents/s3-document-store.ts'
import { UnavailableError } from '../../src/platform/errors/unavailable-error.ts'
import { createMessenger } from '../../src/platform/messaging/messenger.ts'
import type { Message, Messenger } from '../../src/platform/messaging/port.ts'
import { FaultyProxy, type Mode } from '../support/faulty-proxy.ts'
import { waitFor } from '../support/wait-for.ts'

const MEGABYTE = 1024 * 1024
const deadlines: AwsDeadlines = {
  connectMilliseconds: 200,
  callMilliseconds: 200,
  requestMilliseconds: 200,
  transferMilliseconds: 300,
}
const unhurried: AwsDeadlines = {
  connectMilliseconds: 2_000,
  callMilliseconds: 2_000,
  requestMilliseconds: 2_000,
  transferMilliseconds: 2_000,
}
// Far above the deadlines, far below the client's own timeouts.
const IN_TIME = 8_000
const FAULTS: Mode[] = ['refusing', 'silent', 'dripping', 'resetting']

let server: FauxqsServer
let proxy: FaultyProxy

beforeAll(async () => {
  server = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
  server.createBucket('documents')
  server.createQueue('queue', { region: 'eu-west-1' })
  proxy = await new FaultyProxy(server.port).open()
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST').stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await proxy.close()
  await server.stop()
})
beforeEach(() => proxy.set('passing'))

async function* from(...chunks: Uint8Array[]) {
  yield* chunks
}
const megabytes = (count: number) => from(...Array.from({ length: count }, (_, index) => Buffer.alloc(MEGABYTE, index)))

describe('a call to S3 ends within its deadline, as an outage of S3', { timeout: IN_TIME }, () => {
  let store: S3DocumentStore
  /** Has the default deadlines. */
  let patient: S3DocumentStore
  /** Has a short deadline for the transfer only. */
  let impatientReader: S3DocumentStore
  /** Has deadlines that the test does not reach, except for requests. */
  let forRequests: S3DocumentStore
  let address: S3DocumentStoreOptions
  beforeAll(async () => {
    address = { bucket: 'documents', prefix: '', endpoint: proxy.url, region: 'us-east-1', forcePathStyle: true }
    store = new S3DocumentStore({ ...address, deadlines })
    patient = new S3DocumentStore(address)
    const { transferMilliseconds } = deadlines
    impatientReader = new S3DocumentStore({ ...address, deadlines: { ...defaultDeadlines, transferMilliseconds } })
    const unreached = 10 * IN_TIME
    const slow = { connectMilliseconds: unreached, callMilliseconds: unreached, transferMilliseconds: unreached }
    forRequests = new S3DocumentStore({ ...address, deadlines: { ...slow, requestMilliseconds: 200 } })
    await patient.put('small', from(Buffer.from('small')))
    await patient.put('large', megabytes(2))
  })
  afterAll(() => {
    for (const one of [store, patient, impatientReader, forRequests]) one.close()
  })

  describe.each(FAULTS)('when it is %s', (mode) => {
    beforeEach(() => proxy.set(mode))

    const calls: Record<string, () => Promise<unknown>> = {
      head: () => store.head('small'),
      'version, which a request waits for': () => forRequests.version('small'),
      get: async () => buffer((await store.get('large'))?.content ?? from()),
      delete: () => store.delete('absent'),
      'put of a small document': () => store.put('new', from(Buffer.from('new'))),
      'put of a document in parts': () => store.put('new', megabytes(12)),
    }
    test.each(Object.keys(calls))('%s', async (name) => {
      await expect(calls[name]?.()).rejects.toThrow(UnavailableError)
    })
  })

  test.each(['silent', 'resetting', 'dripping', 'refusing'] as const)(
    'when it becomes %s in the middle of an upload',
    async (mode) => {
      async function* source() {
        yield* megabytes(6)
        await proxy.set(mode)
        yield* megabytes(6)
      }
      await expect(store.put('half', source())).rejects.toThrow(UnavailableError)
      await proxy.set('passing')
      expect(await patient.head('half')).toBeUndefined()
    },
  )

  test.each(['silent', 'dripping', 'resetting'] as const)(
    'when it becomes %s while a document is read',
    async (mode) => {
      await proxy.set(mode, { afterBytes: MEGABYTE })
      const document = await impatientReader.get('large')
      expect(document?.bytes).toBe(2 * MEGABYTE)
      await expect(buffer(document?.content ?? from())).rejects.toThrow(UnavailableError)
    },
  )

  test('an aborted upload ends immediately, with the reason of the abort', async () => {
    await proxy.set('silent')
    const stop = new AbortController()
    // Has no open connection, so that a new one shows that the upload began.
    const unconnected = new S3DocumentStore(address)
    const { connections } = proxy
    const stopped = expect(unconnected.put('stopped', megabytes(12), stop.signal)).rejects.toThrow('enough')
    await waitFor(
      () => proxy.connections,
      (count) => count > connections,
    )
    stop.abort(new Error('enough'))
    await stopped
    unconnected.close()
  })

  test('missing credentials are an outage, also for a signed URL', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', '').stubEnv('AWS_SECRET_ACCESS_KEY', '')
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true').stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere')
    const keyless = new S3DocumentStore({ bucket: 'documents', prefix: '', region: 'us-east-1', forcePathStyle: false })
    await expect(keyless.presignGet('x', { contentType: 'text/plain' })).rejects.toThrow(UnavailableError)
    await expect(keyless.presignPut('x', { contentType: 'text/plain' })).rejects.toThrow(UnavailableError)
    keyless.close()
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST').stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
  })

  test('a missing bucket is an outage, and a missing document is not', async () => {
    const elsewhere = new S3DocumentStore({ ...address, bucket: 'nowhere' })
    for (const call of ['get', 'head', 'version'] as const) {
      await expect(elsewhere[call]('x')).rejects.toThrow(UnavailableError)
      expect(await patient[call]('absent')).toBeUndefined()
    }
    elsewhere.close()
  })
})

describe('sending ends within its deadline, as an outage of the receiver', { timeout: IN_TIME }, () => {
  let messenger: Messenger
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
  beforeAll(() => {
    const settings = { endpoint: proxy.url, credentials, deadlines }
    messenger = createMessenger({ sqs: settings, eventBridge: { ...settings, busName: 'souk' } })
  })
  afterAll(() => messenger.close())

  const messages: Message[] = [{ id: 'm-1', type: 'T', source: 's', time: new Date(0), body: '{}' }]
  const targets = {
    SQS: { kind: 'sqs', arn: 'arn:aws:sqs:eu-west-1:000000000000:queue' },
    EventBridge: { kind: 'eventBridge', accountId: '123456789012', region: 'eu-west-1' },
  } as const

  describe.each(Object.entries(targets))('%s', (_name, target) => {
    test.each(FAULTS)('that is %s', async (mode) => {
      await proxy.set(mode)
      await expect(messenger.send(target, messages)).rejects.toThrow(UnavailableError)
    })
  })

  describe('SQS', () => {
    test.each(FAULTS)('that accepted messages before it became %s', async (mode) => {
      const settings = { endpoint: proxy.url, credentials, deadlines: unhurried }
      const sender = createMessenger({ sqs: settings, eventBridge: { ...settings, busName: 'souk' } })
      for (const count of [1, 2]) expect([count, await sender.send(targets.SQS, messages)]).toEqual([count, []])
      await proxy.set(mode)
      await expect(sender.send(targets.SQS, messages)).rejects.toThrow(UnavailableError)
      sender.close()
    })
  })

  test('and works again as soon as the receiver does', async () => {
    const settings = { endpoint: proxy.url, credentials, deadlines: unhurried }
    const sender = createMessenger({ sqs: settings, eventBridge: { ...settings, busName: 'souk' } })
    await proxy.set('silent')
    await expect(sender.send(targets.SQS, messages)).rejects.toThrow(UnavailableError)
    await proxy.set('passing')
    expect(await sender.send(targets.SQS, messages)).toEqual([])
    sender.close()
  })
})
