import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { queueOfArn } from '../../src/dev/queue/queue.ts'
import { QueueMessenger } from '../../src/dev/queue/queue-messenger.ts'
import { insertQueues } from '../../src/dev/queue/queue-store.ts'
import type { QueueTables } from '../../src/dev/queue/tables.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { SqliteDatabase } from '../../src/platform/database/sqlite-database.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { readEventBus } from '../../src/platform/messaging/file-event-bus.ts'
import { createMessenger } from '../../src/platform/messaging/messenger.ts'
import type { Message, Messenger } from '../../src/platform/messaging/port.ts'

const db = queryBuilder<QueueTables>()
const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
const message = (id: string, body: object = { id }): Message => ({
  id,
  type: 'ORDER_CHANGE',
  source: 'sellingpartnerapi.amazon.com/app',
  time: new Date('2026-06-01T12:00:00Z'),
  body: JSON.stringify(body),
})
const messages = (count: number) => Array.from({ length: count }, (_, index) => message(`m-${index}`))

const target = (name: string) => ({ kind: 'sqs' as const, arn: `arn:aws:sqs:eu-west-1:123456789012:${name}` })

interface TestQueues {
  messenger: Messenger
  create(name: string): Promise<void>
  bodiesIn(name: string): Promise<string[] | undefined>
  stop(): Promise<void>
}

async function openSqs(): Promise<TestQueues> {
  const fauxqs = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
  const sqs = { endpoint: `http://127.0.0.1:${fauxqs.port}`, credentials }
  return {
    messenger: createMessenger({ sqs, eventBridge: { busName: 'default' } }),
    create: async (name) => void fauxqs.createQueue(name, { region: 'eu-west-1' }),
    bodiesIn: async (name) => fauxqs.inspectQueue(name)?.messages.ready.map(({ body }) => body),
    stop: () => fauxqs.stop(),
  }
}

const notified: string[] = []

async function openLocalQueue(): Promise<TestQueues> {
  const database = new SqliteDatabase(':memory:')
  const clock = new ManualClock('2026-06-01T12:00:00Z')
  await migrateDatabase(database, clock)
  const notifyQueue = (name: string) => void notified.push(name)
  const queues = new QueueMessenger({ database, clock, ids: new RandomIds(), notifyQueue })
  return {
    messenger: createMessenger({ sqs: { queues }, eventBridge: { busName: 'default' } }),
    create: (name) => database.transact((tx) => insertQueues(tx, [queueOfArn(target(name).arn, 0)])),
    async bodiesIn(name) {
      const query = db.selectFrom('queue_messages').select('body').where('queue_name', '=', name).orderBy('message_id')
      return (await database.read((reader) => reader.all(query))).map(({ body }) => body)
    },
    stop: () => database.close(),
  }
}

describe.each([
  ['of Amazon SQS', openSqs],
  ['of the stand-in', openLocalQueue],
])('queues %s', (_, open) => {
  let queues: TestQueues
  let messenger: Messenger
  beforeAll(async () => {
    queues = await open()
    messenger = queues.messenger
  })
  afterAll(async () => {
    messenger.close()
    await queues.stop()
  })

  test('accept as many messages per request as they say, in order', async () => {
    await queues.create('many')
    const sent = messages(messenger.limitOf(target('many')).messages)
    expect(await messenger.send(target('many'), sent)).toEqual([])
    expect(await queues.bodiesIn('many')).toEqual(sent.map(({ body }) => body))
  })

  test('reject messages with invalid characters permanently, and accept the rest', async () => {
    await queues.create('picky')
    const bad: Message = { ...message('bad'), body: '"\uFFFE"' }
    expect(await messenger.send(target('picky'), [message('good'), bad])).toEqual([
      { id: 'bad', reason: expect.stringContaining('InvalidMessageContents'), isPermanent: true },
    ])
    expect(await queues.bodiesIn('picky')).toHaveLength(1)
  })

  test('reject messages over the size limit permanently', async () => {
    await queues.create('short')
    const [result] = await messenger.send(target('short'), [message('long', { text: 'x'.repeat(1_200_000) })])
    expect(result).toMatchObject({ id: 'long', isPermanent: true })
    expect(await queues.bodiesIn('short')).toEqual([])
  })
})

describe('a queue that does not exist', () => {
  test('is an error of Amazon SQS', async () => {
    const { messenger, stop } = await openSqs()
    await expect(messenger.send(target('nowhere'), messages(1))).rejects.toThrow()
    messenger.close()
    await stop()
  })

  test('is created by the stand-in, and its consumers are notified', async () => {
    const { messenger, bodiesIn, stop } = await openLocalQueue()
    expect(await messenger.send(target('new'), messages(2))).toEqual([])
    expect(await bodiesIn('new')).toHaveLength(2)
    expect(notified.at(-1)).toBe('new')
    await stop()
  })
})

interface ReceivedBatch {
  Entries: Record<string, unknown>[]
}

/** A service that responds as `respond` says. */
async function openService(respond: (sent: ReceivedBatch) => { status: number; body: object }) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status, body } = respond(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('messages that a response of SQS does not mention have failed, and are retried', async () => {
  let confirmed = 2
  const { server, endpoint } = await openService(({ Entries }) => ({
    status: 200,
    body: confirmed === 0 ? {} : { Successful: Entries.slice(0, confirmed).map(({ Id }) => ({ Id })) },
  }))
  const messenger = createMessenger({ sqs: { endpoint, credentials }, eventBridge: { busName: 'default' } })
  const failure = (id: string) => ({ id, reason: 'SQS did not confirm the message', isPermanent: false })
  expect(await messenger.send(target('proxied'), messages(2))).toEqual([])
  confirmed = 1
  expect(await messenger.send(target('proxied'), messages(2))).toEqual([failure('m-1')])
  confirmed = 0
  expect(await messenger.send(target('proxied'), messages(2))).toEqual([failure('m-0'), failure('m-1')])
  messenger.close()
  server.close()
})

describe('event buses', () => {
  const requests: ReceivedBatch[] = []
  let answer: (count: number) => { status: number; body: object }
  let server: Server
  let messenger: Messenger
  beforeAll(async () => {
    let endpoint: string
    ;({ server, endpoint } = await openService((sent) => {
      requests.push(sent)
      return answer(sent.Entries.length)
    }))
    messenger = createMessenger({ sqs: {}, eventBridge: { endpoint, credentials, busName: 'souk' } })
  })
  afterAll(() => {
    messenger.close()
    server.close()
  })
  const bus = { kind: 'eventBridge' as const, accountId: '123456789012', region: 'eu-west-1' }
  const allTaken = (count: number) => ({
    status: 200,
    body: { FailedEntryCount: 0, Entries: Array.from({ length: count }, (_, index) => ({ EventId: String(index) })) },
  })

  test('of the account accept events with their type, source and time', async () => {
    answer = allTaken
    expect(await messenger.send(bus, messages(2))).toEqual([])
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
    expect(await messenger.send(bus, messages(3))).toEqual([
      { id: 'm-1', reason: 'InternalFailure: Later', isPermanent: false },
      { id: 'm-2', reason: 'MalformedDetail: Never', isPermanent: true },
    ])
  })

  test('whose response does not mention an event have not accepted it', async () => {
    answer = () => ({ status: 200, body: { Entries: [{ EventId: '1' }] } })
    const failure = { id: 'm-1', reason: 'EventBridge did not confirm the message', isPermanent: false }
    expect(await messenger.send(bus, messages(2))).toEqual([failure])
    answer = () => ({ status: 200, body: {} })
    expect(await messenger.send(bus, messages(2))).toEqual([{ ...failure, id: 'm-0' }, failure])
  })

  test('that are unreachable or busy are an error', async () => {
    answer = () => ({ status: 400, body: { __type: 'ThrottlingException', message: 'Slow down' } })
    await expect(messenger.send(bus, messages(1))).rejects.toThrow('Slow down')
    answer = () => ({ status: 500, body: {} })
    await expect(messenger.send(bus, messages(1))).rejects.toThrow()
  })
})

describe('an event bus in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-bus-'))
  const file = join(folder, 'deep', 'bus.jsonl')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const messenger = createMessenger({ sqs: {}, eventBridge: { file } })
  const bus = { kind: 'eventBridge' as const, accountId: '123456789012', region: 'eu-west-1' }

  test('is empty before the first event', async () => {
    expect(await readEventBus(file, 10)).toEqual([])
  })

  test('returns the last events, newest first', async () => {
    await messenger.send(bus, messages(3))
    await messenger.send(bus, [message('last')])
    const shown = (await readEventBus(file, 2)) as { id: string }[]
    expect(shown.map(({ id }) => id)).toEqual(['last', 'm-2'])
  })

  test('starts over when it is large, and returns complete events', async () => {
    const line = `${JSON.stringify({ id: 'filler', text: 'x'.repeat(1000) })}\n`
    writeFileSync(file, line.repeat(5_000))
    expect(await readEventBus(file, 1000)).toHaveLength(1000)
    writeFileSync(file, line.repeat(17_000))
    await messenger.send(bus, [message('first of the new')])
    expect(statSync(file).size).toBeLessThan(10_000)
    expect(statSync(`${file}.old`).size).toBeGreaterThan(16_000_000)
  })
})
