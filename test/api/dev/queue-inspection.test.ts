import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { encodePageToken } from '../../../src/platform/paging.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const DAY = 24 * 60 * 60 * 1000

let souk: TestSouk
let client: SQSClient
let name: string
let QueueUrl: string
let queuesCreated = 0

beforeAll(async () => {
  souk = await startTestSouk({ demo: false })
  client = sqsClient(souk.queueUrl)
})
beforeEach(async () => {
  name = `inspected-${++queuesCreated}`
  QueueUrl = (await client.send(new CreateQueueCommand({ QueueName: name }))).QueueUrl ?? ''
})

const send = (MessageBody: string, options = {}) =>
  client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...options }))
const receive = async () => (await client.send(new ReceiveMessageCommand({ QueueUrl }))).Messages ?? []
const peek = (query = '') => souk.get(`/_souk/queue/${name}/messages${query}`)
const bodiesOf = (messages: { body: string }[]) => messages.map(({ body }) => body)

describe('the list of local queues', () => {
  test('has the messages of each queue by state', async () => {
    await send('received')
    await receive()
    await send('visible')
    await send('delayed', { DelaySeconds: 60 })
    const { queues } = (await souk.get('/_souk/queue')).json()
    expect(queues.find((queue: { name: string }) => queue.name === name)).toEqual({
      name,
      arn: expect.stringMatching(new RegExp(`^arn:aws:sqs:.*:${name}$`)),
      createdAt: souk.clock.now().toISOString(),
      visibilityTimeoutSeconds: 30,
      retentionSeconds: 345_600,
      messages: { visible: 1, inFlight: 1, delayed: 1 },
    })
  })

  test('has pages', async () => {
    const names: string[] = []
    let token = ''
    do {
      const page = (await souk.get(`/_souk/queue?pageSize=1${token && `&pageToken=${token}`}`)).json()
      expect(page.queues).toHaveLength(1)
      names.push(page.queues[0].name)
      token = page.nextToken ?? ''
    } while (token)
    expect(names).toContain(name)
    expect(names).toEqual([...new Set(names)].sort())
  })

  test('names the dead-letter queue', async () => {
    const policy = { deadLetterTargetArn: `arn:aws:sqs:eu-west-1:000000000000:${name}`, maxReceiveCount: 3 }
    const Attributes = { RedrivePolicy: JSON.stringify(policy) }
    await client.send(new CreateQueueCommand({ QueueName: `${name}-source`, Attributes }))
    const { queues } = (await souk.get('/_souk/queue')).json()
    expect(queues.find((queue: { name: string }) => queue.name === `${name}-source`)).toMatchObject({
      deadLetterQueue: { arn: policy.deadLetterTargetArn, maxReceiveCount: 3 },
    })
  })
})

describe('a look at the messages of a queue', () => {
  test('shows bodies, attributes and states, and receives nothing', async () => {
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'test' } }
    const { MessageId } = await send('{"a":1}', { MessageAttributes })
    const first = (await peek()).json()
    expect(first).toEqual({
      messages: [
        {
          messageId: MessageId,
          state: 'VISIBLE',
          sentAt: souk.clock.now().toISOString(),
          visibleAt: souk.clock.now().toISOString(),
          receiveCount: 0,
          attributes: MessageAttributes,
          body: '{"a":1}',
          isBodyTruncated: false,
        },
      ],
    })
    expect((await peek()).json()).toEqual(first)

    const [received] = await receive()
    expect(received).toMatchObject({ MessageId, Body: '{"a":1}' })
    expect((await peek()).json().messages).toMatchObject([
      { state: 'IN_FLIGHT', receiveCount: 1, firstReceivedAt: souk.clock.now().toISOString() },
    ])
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: received?.ReceiptHandle }))
    expect((await peek()).json().messages).toEqual([])
  })

  test('has pages in the order of receiving', async () => {
    for (const body of ['1', '2', '3']) {
      await send(body)
      souk.clock.advance(1)
    }
    await send('later', { DelaySeconds: 10 })
    const first = (await peek('?pageSize=3')).json()
    expect(bodiesOf(first.messages)).toEqual(['1', '2', '3'])
    const second = (await peek(`?pageSize=3&pageToken=${first.nextToken}`)).json()
    expect(second).toMatchObject({ messages: [{ body: 'later', state: 'DELAYED' }] })
    expect(second.nextToken).toBeUndefined()
  })

  test('has no expired messages', async () => {
    await send('old')
    souk.clock.advance(5 * DAY)
    expect((await peek()).json().messages).toEqual([])
  })

  test('cuts a very long body', async () => {
    await send('ü'.repeat(300_000))
    const [message] = (await peek()).json().messages
    expect(message).toMatchObject({ isBodyTruncated: true, body: 'ü'.repeat(262_144) })
  })

  test('refuses an unknown queue and tokens that were not issued', async () => {
    expect(errorOf(await souk.get('/_souk/queue/nothing/messages'))).toMatchObject({ status: 404, code: 'NotFound' })
    for (const token of ['x', encodePageToken(['a', 'b', 'c']), encodePageToken(['1', '1e400', 'c'])]) {
      expect(errorOf(await peek(`?pageToken=${token}`))).toMatchObject({ status: 400, code: 'InvalidInput' })
    }
  })
})
