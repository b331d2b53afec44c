import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEventBus } from '../../src/platform/messaging/file-event-bus.ts'
import { createMessenger } from '../../src/platform/messaging/messenger.ts'
import type { Message, Messenger } from '../../src/platform/messaging/port.ts'

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
const message = (id: string, body: object = { id }): Message => ({
  id,
  type: 'ORDER_CHANGE',
  source: 'sellingpartnerapi.amazon.com/app',
  time: new Date('2026-06-01T12:00:00Z'),
  body: JSON.stringify(body),
})
const messages = (count: number) => Array.from({ length: count }, (_, index) => message(`m-${index}`))

describe('queues', () => {
  let fauxqs: FauxqsServer
  let messenger: Messenger
  let creating: Messenger
  beforeAll(async () => {
    fauxqs = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
    const sqs = { endpoint: `http://127.0.0.1:${fauxqs.port}`, credentials }
    const eventBridge = { busName: 'default' }
    messenger = createMessenger({ sqs, eventBridge })
    creating = createMessenger({ sqs: { ...sqs, createsQueues: true }, eventBridge })
  })
  afterAll(async () => {
    messenger.close()
    creating.close()
    await fauxqs.stop()
  })
  const target = (name: string) => ({ kind: 'sqs' as const, arn: `arn:aws:sqs:eu-west-1:123456789012:${name}` })
  const inQueue = (name: string) => fauxqs.inspectQueue(name)?.messages.ready.map(({ body }) => body)

  test('accept ten messages per request, in order', async () => {
    fauxqs.createQueue('ten', { region: 'eu-west-1' })
    const sent = messages(10)
    expect(await messenger.send(target('ten'), sent)).toEqual([])
    expect(inQueue('ten')).toEqual(sent.map(({ body }) => body))
  })

  test('that do not exist are an error or are created, as configured', async () => {
    await expect(messenger.send(target('nowhere'), messages(1))).rejects.toThrow()
    expect(await creating.send(target('nowhere'), messages(2))).toEqual([])
    expect(inQueue('nowhere')).toHaveLength(2)
  })

  test('reject messages with invalid characters permanently, and accept the rest', async () => {
    fauxqs.createQueue('picky', { region: 'eu-west-1' })
    const bad: Message = { ...message('bad'), body: '"\uFFFE"' }
    expect(await messenger.send(target('picky'), [message('good'), bad])).toEqual([
      { id: 'bad', reason: expect.stringContaining('InvalidMessageContents'), isPermanent: true },
    ])
    expect(inQueue('picky')).toHaveLength(1)
  })

  test('reject messages over the size limit permanently', async () => {
    fauxqs.createQueue('short', { region: 'eu-west-1' })
    const [result] = await messenger.send(target('short'), [message('long', { text: 'x'.repeat(1_200_000) })])
    expect(result).toMatchObject({ id: 'long', isPermanent: true })
  })
})

describe('event buses', () => {
  const requests: { Entries: Record<string, unknown>[] }[] = []
  let answer: (count: number) => { status: number; body: object }
  let server: Server
  let messenger: Messenger
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const sent = JSON.parse(Buffer.concat(chunks).toString())
      requests.push(sent)
      const { status, body } = answer(sent.Entries.length)
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    messenger = createMessenger({ sqs: {}, eventBridge: { endpoint, credentials, busName: 'souk' } })
  })
  afterAll(() => {
    messenger.close()
    server.close()
  })
  const target = { kind: 'eventBridge' as const, accountId: '123456789012', region: 'eu-west-1' }
  const allTaken = (count: number) => ({
    status: 200,
    body: { FailedEntryCount: 0, Entries: Array.from({ length: count }, (_, index) => ({ EventId: String(index) })) },
  })

  test('of the account accept events with their type, source and time', async () => {
    answer = allTaken
    expect(await messenger.send(target, messages(2))).toEqual([])
    expect(requests.at(-1)?.Entries).toHaveLength(2)
    expect(requests.at(-1)?.Entries[0]).toEqual({
      EventBusName: 'arn:aws:events:eu-west-1:123456789012:event-bus/souk',
      Source: 'sellingpartnerapi.amazon.com/app',
      DetailType: 'ORDER_CHANGE',
      Detail: '{"id":"m-0"}',
      Time: new Date('2026-06-01T12:00:00Z').getTime() / 1000,
    })
  })

  test('report which events failed, and whether a retry can succeed', async () => {
    answer = () => ({
      status: 200,
      body: {
        FailedEntryCount: 2,
        Entries: [
          { EventId: '1' },
          { ErrorCode: 'InternalFailure', ErrorMessage: 'Later' },
          { ErrorCode: 'MalformedDetail', ErrorMessage: 'Never' },
        ],
      },
    })
    expect(await messenger.send(target, messages(3))).toEqual([
      { id: 'm-1', reason: 'InternalFailure: Later', isPermanent: false },
      { id: 'm-2', reason: 'MalformedDetail: Never', isPermanent: true },
    ])
  })

  test('that are unreachable or busy are an error', async () => {
    answer = () => ({ status: 400, body: { __type: 'ThrottlingException', message: 'Slow down' } })
    await expect(messenger.send(target, messages(1))).rejects.toThrow('Slow down')
    answer = () => ({ status: 500, body: {} })
    await expect(messenger.send(target, messages(1))).rejects.toThrow()
  })
})

describe('an event bus in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-bus-'))
  const file = join(folder, 'deep', 'bus.jsonl')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const messenger = createMessenger({ sqs: {}, eventBridge: { file } })
  const target = { kind: 'eventBridge' as const, accountId: '123456789012', region: 'eu-west-1' }

  test('is empty before the first event', async () => {
    expect(await readEventBus(file, 10)).toEqual([])
  })

  test('returns the last events, newest first', async () => {
    await messenger.send(target, messages(3))
    await messenger.send(target, [message('last')])
    const shown = (await readEventBus(file, 2)) as { id: string }[]
    expect(shown.map(({ id }) => id)).toEqual(['last', 'm-2'])
  })

  test('starts over when it is large, and returns complete events', async () => {
    const line = `${JSON.stringify({ id: 'filler', text: 'x'.repeat(1000) })}\n`
    writeFileSync(file, line.repeat(5_000))
    expect(await readEventBus(file, 1000)).toHaveLength(1000)
    writeFileSync(file, line.repeat(17_000))
    await messenger.send(target, [message('first of the new')])
    expect(statSync(file).size).toBeLessThan(10_000)
    expect(statSync(`${file}.old`).size).toBeGreaterThan(16_000_000)
  })
})
