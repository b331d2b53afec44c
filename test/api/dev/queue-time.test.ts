import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { SystemClock } from '../../../src/platform/clock/system-clock.ts'
import { createPostgresDatabase, testDialect } from '../../support/databases.ts'
import { notificationsClient, sqs } from '../../support/notifications.ts'
import { TEST_TIME } from '../../support/postgres-server.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR
/** No other part of the service sleeps for this time. */
const WAIT_SECONDS = 17

/** Records for how long its users sleep. */
class WatchedClock extends ManualClock {
  sleeps: number[] = []

  sleeping = 0

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(milliseconds)
    this.sleeping++
    await super.sleep(milliseconds, signal)
    this.sleeping--
  }

  /** Waits until that many users have begun to sleep for the time of a long poll. */
  async polled(count = 1): Promise<void> {
    await this.slept(WAIT_SECONDS * SECOND, count)
  }

  async slept(milliseconds: number, count = 1): Promise<void> {
    await waitFor(
      () => this.sleeps.filter((time) => time === milliseconds).length,
      (found) => found >= count,
    )
    this.sleeps = []
  }
}

const clock = new WatchedClock(TEST_TIME)
let souk: TestSouk
let client: SQSClient
let queuesCreated = 0

beforeAll(async () => {
  souk = await startTestSouk({ clock, demo: false })
  client = sqsClient(souk.queueUrl)
})

async function createQueue(Attributes: Record<string, string> = {}): Promise<string> {
  const QueueName = `queue-${++queuesCreated}`
  return (await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? ''
}

const send = (QueueUrl: string, MessageBody: string, DelaySeconds?: number) =>
  client.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }))

async function receive(QueueUrl: string, input: Partial<ReceiveMessageCommandInput> = {}, abortSignal?: AbortSignal) {
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...input })
  return (await client.send(command, { abortSignal })).Messages ?? []
}

const poll = (QueueUrl: string, abortSignal?: AbortSignal) =>
  receive(QueueUrl, { WaitTimeSeconds: WAIT_SECONDS }, abortSignal)

const bodies = (messages: { Body?: string | undefined }[]) => messages.map(({ Body }) => Body)

async function countsOf(QueueUrl: string) {
  const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))
  const names = ['', 'NotVisible', 'Delayed'].map((name) => `ApproximateNumberOfMessages${name}`)
  return names.map((name) => Number(Attributes[name as QueueAttributeName]))
}

describe('times of messages follow the clock', () => {
  test('a received message is visible again after its visibility timeout', async () => {
    const url = await createQueue()
    await send(url, 'a')
    expect(await receive(url)).toHaveLength(1)
    expect(await countsOf(url)).toEqual([0, 1, 0])
    clock.advance(30 * SECOND - 1)
    expect(await receive(url)).toEqual([])
    clock.advance(1)
    expect(await countsOf(url)).toEqual([1, 0, 0])
    expect(bodies(await receive(url))).toEqual(['a'])
  })

  test('a consumer can extend the visibility timeout', async () => {
    const QueueUrl = await createQueue()
    await send(QueueUrl, 'a')
    const [{ ReceiptHandle } = {}] = await receive(QueueUrl, { VisibilityTimeout: 10 })
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 100 }))
    clock.advance(99 * SECOND)
    expect(await receive(QueueUrl)).toEqual([])
    clock.advance(SECOND)
    expect(await receive(QueueUrl)).toHaveLength(1)
  })

  test('a delayed message is visible after its delay', async () => {
    const url = await createQueue({ DelaySeconds: '5' })
    await send(url, 'five')
    await send(url, 'ten', 10)
    await send(url, 'now', 0)
    expect(await countsOf(url)).toEqual([1, 0, 2])
    expect(bodies(await receive(url))).toEqual(['now'])
    clock.advance(5 * SECOND)
    expect(bodies(await receive(url))).toEqual(['five'])
    clock.advance(5 * SECOND)
    expect(bodies(await receive(url))).toEqual(['ten'])
  })

  test('a message is deleted after four days, or after the retention of its queue', async () => {
    const url = await createQueue()
    const long = await createQueue({ MessageRetentionPeriod: '1209600' })
    await send(url, 'old')
    await send(long, 'old')
    clock.advance(4 * DAY - 1)
    expect(await countsOf(url)).toEqual([1, 0, 0])
    clock.advance(1)
    expect(await receive(url)).toEqual([])
    expect(await countsOf(url)).toEqual([0, 0, 0])
    expect(await receive(long)).toHaveLength(1)
    const retain = (MessageRetentionPeriod: string) =>
      client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { MessageRetentionPeriod } }))
    // With a longer retention, a message that was not swept would be there again.
    const countUnswept = async () => {
      // The sweep that the last move caused may have looked before it.
      clock.advance(HOUR)
      await souk.idle()
      await retain('1209600')
      const [visible] = await countsOf(url)
      await retain('345600')
      return visible
    }
    await waitFor(countUnswept, (visible) => visible === 0)
  })
})

describe('a long poll', () => {
  test('returns as soon as a message is sent', async () => {
    const url = await createQueue()
    const polled = poll(url)
    await clock.polled()
    await send(url, 'new')
    expect(bodies(await polled)).toEqual(['new'])
  })

  test('returns when the clock makes a message visible', async () => {
    const url = await createQueue()
    await send(url, 'delayed', 5)
    const polled = poll(url)
    await clock.slept(5 * SECOND)
    clock.advance(5 * SECOND)
    expect(bodies(await polled)).toEqual(['delayed'])
  })

  test('returns a message that another consumer did not delete in time', async () => {
    const url = await createQueue()
    await send(url, 'a')
    expect(await receive(url, { VisibilityTimeout: 3 })).toHaveLength(1)
    const polled = poll(url)
    await clock.slept(3 * SECOND)
    clock.advance(3 * SECOND)
    expect(bodies(await polled)).toEqual(['a'])
  })

  test('returns without messages when the clock has moved by its time', async () => {
    const url = await createQueue()
    const polled = poll(url)
    await clock.polled()
    clock.advance(WAIT_SECONDS * SECOND)
    expect(await polled).toEqual([])
  })

  test('waits for the time of the queue if the consumer gives none', async () => {
    const url = await createQueue({ ReceiveMessageWaitTimeSeconds: String(WAIT_SECONDS) })
    const polled = receive(url)
    await clock.polled()
    await send(url, 'new')
    expect(bodies(await polled)).toEqual(['new'])
  })

  test('of one queue delivers each message to one consumer', async () => {
    const url = await createQueue()
    const polled = [poll(url), poll(url), poll(url)]
    await clock.polled(3)
    await send(url, 'one')
    clock.advance(WAIT_SECONDS * SECOND)
    expect(bodies((await Promise.all(polled)).flat())).toEqual(['one'])
  })

  test('takes no message for a consumer that is gone', async () => {
    const url = await createQueue()
    const gone = new AbortController()
    const polled = poll(url, gone.signal)
    await clock.polled()
    await souk.idle()
    const before = clock.sleeping
    gone.abort()
    await expect(polled).rejects.toThrow('aborted')
    await waitFor(
      () => clock.sleeping,
      (sleeping) => sleeping < before,
    )
    await send(url, 'for another')
    expect(bodies(await receive(url))).toEqual(['for another'])
  })

  test('ends with reset(), which deletes the queues', async () => {
    const url = await createQueue()
    const polled = poll(url)
    await clock.polled()
    await souk.reset()
    expect(await polled).toEqual([])
    await expect(receive(url)).rejects.toThrow('does not exist')
  })
})

// Snapshots need SQLite.
test.skipIf(testDialect === 'postgres')(
  'a snapshot contains queues and messages; restoring it ends long polls',
  async () => {
    const url = await createQueue()
    await send(url, 'saved')
    await souk.snapshot('queues')
    expect(await receive(url)).toHaveLength(1)
    const polled = poll(url)
    await clock.slept(WAIT_SECONDS * SECOND)
    await souk.restore('queues')
    expect(await polled).toEqual([])
    expect(bodies(await poll(url))).toEqual(['saved'])
  },
)

test('a restart keeps queues, messages and receipts, and does not wait for consumers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-queue-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = testDialect === 'postgres' ? await createPostgresDatabase('schema') : join(folder, 'souk.db')
  const first = new WatchedClock(TEST_TIME)
  const before = await startTestSouk({ database, clock: first, demo: false })
  client = sqsClient(before.queueUrl)
  const url = await createQueue()
  await send(url, 'received')
  expect(await receive(url)).toHaveLength(1)
  await send(url, 'waiting', 10)
  const polled = poll(url).catch(() => [])
  await first.slept(10 * SECOND)
  await before.stop()
  expect(await polled).toEqual([])

  const second = new WatchedClock(TEST_TIME)
  const after = await startTestSouk({ database, clock: second, demo: false })
  client = sqsClient(after.queueUrl)
  expect(await countsOf(url)).toEqual([0, 1, 1])
  second.advance(10 * SECOND)
  expect(bodies(await receive(url))).toEqual(['waiting'])
  second.advance(20 * SECOND)
  expect(bodies(await receive(url))).toEqual(['received'])
})

test.each([
  ['this thread', 'worker', () => ({ clock: new ManualClock(TEST_TIME) })],
  // That is where it is if the database is a file and the clock is that of the system.
  [
    'a thread of its own',
    'thread',
    (folder: string) => ({ clock: new SystemClock(), database: join(folder, 'souk.db') }),
  ],
])('a long poll returns as soon as a worker in %s sends a notification', async (_, queue, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-queue-'))
  const { clock, database } = { database: undefined, ...options(folder) }
  clock.freeze()
  const slept = vi.spyOn(clock, 'sleep')
  const marketplace = await startTestSouk({ clock, ...(database && { database }) })
  onTestFinished(async () => {
    await marketplace.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const notifications = notificationsClient(marketplace)
  const destination = await notifications.destination(sqs(queue))
  client = sqsClient(marketplace.queueUrl)
  const polled = poll(`${marketplace.queueUrl}/123456789012/${queue}`)
  await waitFor(
    () => slept.mock.calls.some(([milliseconds]) => milliseconds === WAIT_SECONDS * SECOND),
    (isWaiting) => isWaiting,
  )
  await notifications.test('ORDER_CHANGE', destination, '1.0')
  expect(await polled).toHaveLength(1)
})
