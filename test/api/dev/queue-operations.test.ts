import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  type Message,
  PurgeQueueCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
  SQSServiceException,
  TagQueueCommand,
  UntagQueueCommand,
} from '@aws-sdk/client-sqs'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqsClient } from '../../support/queue-client.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: SQSClient
let queuesCreated = 0

beforeAll(async () => {
  souk = await startTestSouk({ demo: false })
  client = sqsClient(souk.queueUrl)
})

async function createQueue(Attributes: Record<string, string> = {}): Promise<string> {
  const QueueName = `queue-${++queuesCreated}`
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes }))
  return QueueUrl
}

const send = (QueueUrl: string, MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }))

async function receive(QueueUrl: string, input: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...input })
  return (await client.send(command)).Messages ?? []
}

const attributesOf = async (QueueUrl: string) =>
  (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {}

/** The name and status of the error, as the SDK reports them. */
async function errorOf(request: Promise<unknown>): Promise<[string, number | undefined]> {
  const error = await request.then(
    () => expect.fail('There is no error'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof SQSServiceException)) throw error
  return [error.name, error.$metadata.httpStatusCode]
}

describe('queues', () => {
  test('a queue is found by its name, and its URL leads back to it', async () => {
    const url = await createQueue()
    const QueueName = url.slice(url.lastIndexOf('/') + 1)
    expect(url).toBe(`${souk.queueUrl}/000000000000/${QueueName}`)
    expect((await client.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl).toBe(url)
  })

  test('creating a queue again returns it, except with other attributes', async () => {
    const url = await createQueue({ VisibilityTimeout: '60' })
    const QueueName = url.slice(url.lastIndexOf('/') + 1)
    const create = (Attributes: Record<string, string>) =>
      client.send(new CreateQueueCommand({ QueueName, Attributes }))
    expect((await create({})).QueueUrl).toBe(url)
    expect((await create({ VisibilityTimeout: '60', DelaySeconds: '0' })).QueueUrl).toBe(url)
    expect(await errorOf(create({ VisibilityTimeout: '61' }))).toEqual(['QueueNameExists', 400])
  })

  test('queues are listed by prefix, in pages', async () => {
    for (const QueueName of ['paged-3', 'paged-1', 'paged-2']) await client.send(new CreateQueueCommand({ QueueName }))
    const list = (input: object) => client.send(new ListQueuesCommand({ QueueNamePrefix: 'paged-', ...input }))
    const names = (urls: string[] = []) => urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
    const first = await list({ MaxResults: 2 })
    const second = await list({ MaxResults: 2, NextToken: first.NextToken })
    expect(names(first.QueueUrls)).toEqual(['paged-1', 'paged-2'])
    expect(names(second.QueueUrls)).toEqual(['paged-3'])
    expect(second.NextToken).toBeUndefined()
    expect(names((await list({})).QueueUrls)).toHaveLength(3)
  })

  test('attributes have their defaults, and can be set', async () => {
    const url = await createQueue()
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [] })
    expect(await attributesOf(url)).toMatchObject({
      QueueArn: `arn:aws:sqs:eu-west-1:000000000000:${url.slice(url.lastIndexOf('/') + 1)}`,
      VisibilityTimeout: '30',
      MessageRetentionPeriod: '345600',
      MaximumMessageSize: '1048576',
      DelaySeconds: '0',
      CreatedTimestamp: String(Math.floor(souk.clock.now().getTime() / 1000)),
    })
    const Attributes = { VisibilityTimeout: '5', Policy: policy }
    await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }))
    expect(await attributesOf(url)).toMatchObject(Attributes)
    await client.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { Policy: '' } }))
    expect(await attributesOf(url)).not.toHaveProperty('Policy')
  })

  test('tags are added, listed and removed', async () => {
    const QueueUrl = await createQueue()
    await client.send(new TagQueueCommand({ QueueUrl, Tags: { team: 'a', stage: 'test' } }))
    await client.send(new TagQueueCommand({ QueueUrl, Tags: { team: 'b' } }))
    await client.send(new UntagQueueCommand({ QueueUrl, TagKeys: ['stage'] }))
    expect((await client.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({ team: 'b' })
  })

  test('a purged queue is empty, and a deleted one does not exist', async () => {
    const QueueUrl = await createQueue()
    await send(QueueUrl, 'gone')
    await client.send(new PurgeQueueCommand({ QueueUrl }))
    expect(await receive(QueueUrl)).toEqual([])
    await send(QueueUrl, 'gone, too')
    await client.send(new DeleteQueueCommand({ QueueUrl }))
    await expect(receive(QueueUrl)).rejects.toThrow(QueueDoesNotExist)
    await client.send(new CreateQueueCommand({ QueueName: QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1) }))
    expect(await receive(QueueUrl)).toEqual([])
  })
})

describe('messages', () => {
  test('arrive in order, with their attributes, and the digests that the SDK verifies', async () => {
    const url = await createQueue()
    await send(url, 'first: ü 🛒\r\n')
    const MessageAttributes = {
      kind: { DataType: 'String', StringValue: 'é' },
      'trace.count': { DataType: 'Number.int', StringValue: '12' },
      'trace.bytes': { DataType: 'Binary', BinaryValue: Uint8Array.of(0, 255) },
    }
    const command = new SendMessageCommand({ QueueUrl: url, MessageBody: 'second', MessageAttributes })
    const sent = await client.send(command)
    const [first, second] = await receive(url, {
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    })
    expect(first).toMatchObject({ Body: 'first: ü 🛒\r\n' })
    expect(first).not.toHaveProperty('MessageAttributes')
    expect(second).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'second',
      MessageAttributes,
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(souk.clock.now().getTime()) },
    })
  })

  test('have only the attributes that a consumer wants, by name or prefix', async () => {
    const url = await createQueue({ VisibilityTimeout: '0' })
    const text = (StringValue: string) => ({ DataType: 'String', StringValue })
    const MessageAttributes = { a: text('1'), 'b.c': text('2'), 'b.d': text('3') }
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'x', MessageAttributes }))
    const namesWith = async (...MessageAttributeNames: string[]) =>
      Object.keys((await receive(url, { MessageAttributeNames }))[0]?.MessageAttributes ?? {})
    expect(await namesWith()).toEqual([])
    expect(await namesWith('a')).toEqual(['a'])
    expect(await namesWith('b.*')).toEqual(['b.c', 'b.d'])
  })

  test('a batch is sent, hidden, shown and deleted; invalid entries fail alone', async () => {
    const QueueUrl = await createQueue()
    const sent = await client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'a', MessageBody: 'A' },
          { Id: 'b', MessageBody: 'a bell \u0007' },
          { Id: 'c', MessageBody: 'C' },
        ],
      }),
    )
    expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['a', 'c'])
    expect(sent.Failed).toMatchObject([{ Id: 'b', SenderFault: true, Code: 'InvalidMessageContents' }])
    const messages = await receive(QueueUrl)
    expect(messages.map(({ Body }) => Body)).toEqual(['A', 'C'])
    expect(await receive(QueueUrl)).toEqual([])
    const entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    const shown = await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [
          ...entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 })),
          { Id: 'x', ReceiptHandle: 'x', VisibilityTimeout: 0 },
        ],
      }),
    )
    expect(shown.Successful).toHaveLength(2)
    expect(shown.Failed).toMatchObject([{ Id: 'x', SenderFault: true, Code: 'ReceiptHandleIsInvalid' }])
    const again = await receive(QueueUrl, { MessageSystemAttributeNames: ['ApproximateReceiveCount'] })
    expect(again.map(({ Attributes }) => Attributes)).toEqual(Array(2).fill({ ApproximateReceiveCount: '2' }))
    const Entries = again.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    const deleted = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }))
    expect(deleted.Successful).toHaveLength(2)
    expect((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesNotVisible).toBe('0')
  })

  test('a message that was received again is not deleted with the earlier receipt handle', async () => {
    const QueueUrl = await createQueue()
    await send(QueueUrl, 'once')
    const [first] = await receive(QueueUrl, { VisibilityTimeout: 0 })
    const [second] = await receive(QueueUrl)
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first?.ReceiptHandle }))
    expect((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesNotVisible).toBe('1')
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second?.ReceiptHandle }))
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: second?.ReceiptHandle }))
    expect((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesNotVisible).toBe('0')
  })

  test('consumers at the same time never receive the same message', async () => {
    const QueueUrl = await createQueue()
    const bodies = Array.from({ length: 60 }, (_, index) => `message ${index}`)
    await Promise.all(bodies.map((body) => send(QueueUrl, body)))
    const consume = async (): Promise<Message[]> => {
      const messages = await receive(QueueUrl, { MaxNumberOfMessages: 3 })
      return messages.length === 0 ? [] : [...messages, ...(await consume())]
    }
    const received = (await Promise.all([consume(), consume(), consume(), consume()])).flat()
    expect(received.map(({ Body }) => Body).sort()).toEqual(bodies.sort())
  })

  test('received too often, a message moves to the dead-letter queue', async () => {
    const deadLetters = await createQueue()
    const { QueueArn: deadLetterTargetArn } = await attributesOf(deadLetters)
    const QueueUrl = await createQueue({
      VisibilityTimeout: '0',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }),
    })
    await send(QueueUrl, 'poison')
    expect(await receive(QueueUrl)).toHaveLength(1)
    expect(await receive(QueueUrl)).toHaveLength(1)
    expect(await receive(QueueUrl)).toHaveLength(0)
    const [dead] = await receive(deadLetters, { MessageSystemAttributeNames: ['All'] })
    const { QueueArn } = await attributesOf(QueueUrl)
    expect(dead).toMatchObject({ Body: 'poison', Attributes: { DeadLetterQueueSourceArn: QueueArn } })
  })
})

describe('errors', () => {
  const missing = 'http://127.0.0.1/000000000000/missing'
  let QueueUrl: string
  beforeAll(async () => {
    QueueUrl = await createQueue()
  })

  test('a queue that does not exist has the error of SQS, for every operation', async () => {
    const entries = { Entries: [{ Id: 'a', ReceiptHandle: 'x', MessageBody: 'x', VisibilityTimeout: 1 }] }
    const requests = [
      client.send(new GetQueueUrlCommand({ QueueName: 'missing' })),
      client.send(new GetQueueAttributesCommand({ QueueUrl: missing })),
      client.send(new SetQueueAttributesCommand({ QueueUrl: missing, Attributes: { DelaySeconds: '1' } })),
      client.send(new SendMessageCommand({ QueueUrl: missing, MessageBody: 'x' })),
      client.send(new SendMessageBatchCommand({ QueueUrl: missing, ...entries })),
      client.send(new ReceiveMessageCommand({ QueueUrl: missing, WaitTimeSeconds: 20 })),
      client.send(new DeleteMessageBatchCommand({ QueueUrl: missing, ...entries })),
      client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: missing, ...entries })),
      client.send(new PurgeQueueCommand({ QueueUrl: missing })),
      client.send(new DeleteQueueCommand({ QueueUrl: missing })),
      client.send(new TagQueueCommand({ QueueUrl: missing, Tags: { a: 'b' } })),
      client.send(new UntagQueueCommand({ QueueUrl: missing, TagKeys: ['a'] })),
      client.send(new ListQueueTagsCommand({ QueueUrl: missing })),
      client.send(new ReceiveMessageCommand({ QueueUrl: 'http://127.0.0.1/x/%00' })),
    ]
    const results = await Promise.allSettled(requests)
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual(
      requests.map(() => expect.any(QueueDoesNotExist)),
    )
  })

  test.each<[string, string, number, () => Promise<unknown>]>([
    [
      'a name with a dot',
      'InvalidParameterValue',
      400,
      () => client.send(new CreateQueueCommand({ QueueName: 'a.b' })),
    ],
    ['a FIFO queue', 'UnsupportedOperation', 400, () => client.send(new CreateQueueCommand({ QueueName: 'a.fifo' }))],
    ['an unknown attribute', 'InvalidAttributeName', 400, () => createQueue({ Color: 'red' })],
    ['an attribute out of range', 'InvalidAttributeValue', 400, () => createQueue({ DelaySeconds: '901' })],
    ['an invalid redrive policy', 'InvalidAttributeValue', 400, () => createQueue({ RedrivePolicy: '[' })],
    [
      'a dead-letter queue that does not exist',
      'InvalidParameterValue',
      400,
      () =>
        createQueue({
          RedrivePolicy: JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:eu-west-1:0:no', maxReceiveCount: 1 }),
        }),
    ],
    [
      'too many messages to receive',
      'InvalidParameterValue',
      400,
      () => receive(QueueUrl, { MaxNumberOfMessages: 11 }),
    ],
    ['too long a wait', 'InvalidParameterValue', 400, () => receive(QueueUrl, { WaitTimeSeconds: 21 })],
    ['an empty message', 'MissingParameter', 400, () => send(QueueUrl, '')],
    ['a control character', 'InvalidMessageContents', 400, () => send(QueueUrl, '\u0000')],
    ['half a surrogate pair', 'InvalidMessageContents', 400, () => send(QueueUrl, '\ud800')],
    ['too large a message', 'InvalidParameterValue', 400, () => send(QueueUrl, 'x'.repeat(1_048_577))],
    [
      'an attribute without a value',
      'InvalidParameterValue',
      400,
      () =>
        client.send(
          new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes: { a: { DataType: 'String' } } }),
        ),
    ],
    [
      'a receipt handle that was never issued',
      'ReceiptHandleIsInvalid',
      404,
      () => client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'no' })),
    ],
    ['an empty batch', 'EmptyBatchRequest', 400, () => sendBatch([])],
    ['a batch of eleven', 'TooManyEntriesInBatchRequest', 400, () => sendBatch('abcdefghijk'.split(''))],
    ['a batch with a repeated id', 'BatchEntryIdsNotDistinct', 400, () => sendBatch(['a', 'a'])],
    ['a batch with an invalid id', 'InvalidBatchEntryId', 400, () => sendBatch(['a b'])],
    ['too large a batch', 'BatchRequestTooLong', 400, () => sendBatch(['a', 'b'], 'x'.repeat(600_000))],
  ])('%s: %s', async (_, name, status, request) => {
    expect(await errorOf(request())).toEqual([name, status])
    expect((await attributesOf(QueueUrl)).ApproximateNumberOfMessages).toBe('0')
  })

  const sendBatch = (ids: string[], MessageBody = 'x') =>
    client.send(new SendMessageBatchCommand({ QueueUrl, Entries: ids.map((Id) => ({ Id, MessageBody })) }))

  test('the visibility of a message that is not in flight cannot be changed', async () => {
    const url = await createQueue()
    await send(url, 'x')
    const [message] = await receive(url, { VisibilityTimeout: 0 })
    const change = () =>
      client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: url,
          ReceiptHandle: message?.ReceiptHandle,
          VisibilityTimeout: 10,
        }),
      )
    expect(await errorOf(change())).toEqual(['MessageNotInflight', 400])
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message?.ReceiptHandle }))
    expect(await errorOf(change())).toEqual(['InvalidParameterValue', 400])
  })
})
