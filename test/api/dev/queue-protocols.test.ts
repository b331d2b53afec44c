import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSServiceException,
} from '@aws-sdk/client-sqs'
import { startFauxqs } from 'fauxqs'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqsClient } from '../../support/queue-client.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk({ demo: false })
})

/** Sends a form as older SDKs do. */
async function query(path: string, fields: Record<string, string>) {
  const response = await fetch(souk.queueUrl + path, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, Version: '2012-11-05' }),
  })
  return { status: response.status, type: response.headers.get('content-type'), xml: await response.text() }
}

const valuesOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => value)

describe('the query protocol', () => {
  test('sends, receives and deletes messages at the URL of a queue', async () => {
    const created = await query('/', {
      Action: 'CreateQueue',
      QueueName: 'by-query',
      'Attribute.1.Name': 'VisibilityTimeout',
      'Attribute.1.Value': '60',
      'Tag.1.Key': 'team',
      'Tag.1.Value': 'a',
    })
    expect(created).toMatchObject({ status: 200, type: 'text/xml' })
    const url = `${souk.queueUrl}/000000000000/by-query`
    expect(created.xml).toMatch(
      /^<\?xml version="1.0"\?><CreateQueueResponse xmlns="http:\/\/queue.amazonaws.com\/doc\/2012-11-05\/"><CreateQueueResult>/,
    )
    expect(valuesOf(created.xml, 'QueueUrl')).toEqual([url])
    const path = new URL(url).pathname

    const sent = await query(path, {
      Action: 'SendMessage',
      MessageBody: '<a> & "b"\r\n',
      'MessageAttribute.1.Name': 'kind',
      'MessageAttribute.1.Value.DataType': 'String',
      'MessageAttribute.1.Value.StringValue': 'x',
    })
    const received = await query(path, {
      Action: 'ReceiveMessage',
      MaxNumberOfMessages: '10',
      'AttributeName.1': 'ApproximateReceiveCount',
      'MessageAttributeName.1': 'All',
    })
    expect(received.xml).toContain('<Body>&lt;a&gt; &amp; &quot;b&quot;&#13;\n</Body>')
    expect(received.xml).toContain('<Attribute><Name>ApproximateReceiveCount</Name><Value>1</Value></Attribute>')
    expect(received.xml).toContain(
      '<MessageAttribute><Name>kind</Name><Value><DataType>String</DataType><StringValue>x</StringValue></Value></MessageAttribute>',
    )
    for (const name of ['MessageId', 'MD5OfMessageAttributes']) {
      expect(valuesOf(received.xml, name)).toEqual(valuesOf(sent.xml, name))
    }

    const [ReceiptHandle = ''] = valuesOf(received.xml, 'ReceiptHandle')
    const deleted = await query(path, {
      Action: 'DeleteMessageBatch',
      'DeleteMessageBatchRequestEntry.1.Id': 'a',
      'DeleteMessageBatchRequestEntry.1.ReceiptHandle': ReceiptHandle,
      'DeleteMessageBatchRequestEntry.2.Id': 'b',
      'DeleteMessageBatchRequestEntry.2.ReceiptHandle': 'invalid',
    })
    expect(deleted.xml).toContain('<DeleteMessageBatchResultEntry><Id>a</Id></DeleteMessageBatchResultEntry>')
    expect(deleted.xml).toContain('<BatchResultErrorEntry><Id>b</Id><SenderFault>true</SenderFault>')
    const attributes = await query(path, { Action: 'GetQueueAttributes', 'AttributeName.1': 'All' })
    expect(attributes.xml).toContain('<Name>ApproximateNumberOfMessagesNotVisible</Name><Value>0</Value>')
    const tags = await query(path, { Action: 'ListQueueTags' })
    expect(tags.xml).toContain('<ListQueueTagsResult><Tag><Key>team</Key><Value>a</Value></Tag></ListQueueTagsResult>')
    const purged = await query(path, { Action: 'PurgeQueue' })
    expect(purged.xml).not.toContain('Result>')
  })

  test('has the error codes that older programs check', async () => {
    const missing = await query('/', { Action: 'GetQueueUrl', QueueName: 'missing' })
    expect(missing.status).toBe(400)
    expect(missing.xml).toContain('<Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code>')
  })
})

describe('hostile requests', () => {
  const json = (target: string, body: string) =>
    fetch(souk.queueUrl, { method: 'POST', headers: { 'x-amz-target': target }, body })
  const deep = '['.repeat(100_000)

  test.each([
    ['AmazonSQS.ReceiveMessage', '{'],
    ['AmazonSQS.ReceiveMessage', '[]'],
    ['AmazonSQS.ReceiveMessage', 'null'],
    ['AmazonSQS.ReceiveMessage', '{}'],
    ['AmazonSQS.ReceiveMessage', '{"QueueUrl":["a"]}'],
    ['AmazonSQS.ReceiveMessage', '{"QueueUrl":"/0/a","MaxNumberOfMessages":{}}'],
    ['AmazonSQS.ReceiveMessage', '{"QueueUrl":"/0/a","MaxNumberOfMessages":1.5}'],
    ['AmazonSQS.SendMessageBatch', '{"QueueUrl":"/0/a","Entries":[null]}'],
    ['AmazonSQS.SendMessageBatch', '{"QueueUrl":"/0/a","Entries":[{"Id":"a","MessageBody":1}]}'],
    ['AmazonSQS.SendMessage', '{"QueueUrl":"/0/a","MessageBody":"b","MessageAttributes":{"__proto__":{}}}'],
    ['AmazonSQS.CreateQueue', '{"QueueName":"a","Attributes":{"__proto__":"1"}}'],
    ['AmazonSQS.CreateQueue', '{"QueueName":"a","Attributes":{"Policy":"\\u0000"}}'],
    ['AmazonSQS.CreateQueue', '{"QueueName":"a","Attributes":{"RedrivePolicy":"null"}}'],
    ['AmazonSQS.ListQueues', '{"QueueNamePrefix":"\\u0000"}'],
    ['AmazonSQS.constructor', '{}'],
    ['AmazonSQS.AddPermission', '{}'],
    ['Other.ListQueues', '{}'],
    ['AmazonSQS.ListQueues', deep],
  ])('%s %.60s gets 400, with a type and a code', async (target, body) => {
    const response = await json(target, body)
    expect(response.status).toBe(400)
    expect(response.headers.get('x-amzn-query-error')).toMatch(/^[\w.]+;Sender$/)
    expect(await response.json()).toMatchObject({ __type: expect.stringContaining('#'), message: expect.any(String) })
  })

  test.each([
    '',
    'Action=constructor',
    'Action.1=CreateQueue',
    'Action=CreateQueue&QueueName=a&QueueName.b=c',
    'Action=CreateQueue&QueueName=a&Attribute.1=b',
    'Action=CreateQueue&QueueName=%00',
    'Action=SendMessage&QueueUrl=/0/a&MessageBody=%00',
    `Action=CreateQueue&QueueName=a${'&a=b'.repeat(2000)}`,
    `Action=CreateQueue&QueueName${'.a'.repeat(1000)}=b`,
  ])('the form %.60s gets 400', async (form) => {
    const response = await fetch(souk.queueUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('<ErrorResponse')
  })

  test('a body that is too long is refused', async () => {
    const response = await json('AmazonSQS.SendMessage', 'x'.repeat(10_000_000)).catch((error: Error) => error)
    // The server may close the connection before the client has sent everything.
    if (response instanceof Response) expect(response.status).toBe(413)
    expect((await json('AmazonSQS.ListQueues', '{}')).status).toBe(200)
  })

  test('an invalid Host header does not appear in the URL of a queue', async () => {
    const { request } = await import('node:http')
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { 'x-amz-target': 'AmazonSQS.CreateQueue', host: '"><script>' }
      const sent = request(souk.queueUrl, { method: 'POST', headers }, (response) => {
        response.setEncoding('utf8').once('data', resolve)
      })
      sent.once('error', reject).end('{"QueueName":"host"}')
    })
    expect(JSON.parse(body)).toEqual({ QueueUrl: `${souk.queueUrl}/000000000000/host` })
  })
})

test('responses have the shape of those of an independent implementation', async () => {
  const other = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
  try {
    expect(await runScenario(souk.queueUrl)).toEqual(await runScenario(`http://127.0.0.1:${other.port}`))
  } finally {
    await other.stop()
  }
})

/** The shapes of the responses to a consumer and a sender. */
async function runScenario(endpoint: string): Promise<unknown[]> {
  const client = sqsClient(endpoint)
  const QueueUrl = `${endpoint}/000000000000/scenario`
  const MessageAttributes = {
    text: { DataType: 'String', StringValue: 'a' },
    bytes: { DataType: 'Binary', BinaryValue: Uint8Array.of(1, 2) },
  }
  const shapes: unknown[] = []
  const run = async <Result extends object>(request: Promise<Result>): Promise<Result> => {
    try {
      const result = await request
      shapes.push(shapeOf({ ...result, $metadata: undefined }))
      return result
    } catch (error) {
      if (!(error instanceof SQSServiceException)) throw error
      shapes.push([error.name, error.$metadata.httpStatusCode])
      return {} as Result
    }
  }
  await run(client.send(new GetQueueUrlCommand({ QueueName: 'scenario' })))
  await run(client.send(new CreateQueueCommand({ QueueName: 'scenario', Attributes: { VisibilityTimeout: '60' } })))
  await run(client.send(new ListQueuesCommand({ QueueNamePrefix: 'scenario' })))
  await run(client.send(new ReceiveMessageCommand({ QueueUrl })))
  const sent = await run(client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a', MessageAttributes })))
  shapes.push(sent.MD5OfMessageBody, sent.MD5OfMessageAttributes)
  const Entries = ['b', 'c'].map((Id) => ({ Id, MessageBody: Id }))
  await run(client.send(new SendMessageBatchCommand({ QueueUrl, Entries })))
  await run(client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [...Entries, ...Entries] })))
  await run(client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })))
  const all = { MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }
  const AttributeNames = ['SentTimestamp', 'ApproximateReceiveCount', 'ApproximateFirstReceiveTimestamp'] as const
  const { Messages = [] } = await run(
    client.send(new ReceiveMessageCommand({ QueueUrl, ...all, MessageSystemAttributeNames: [...AttributeNames] })),
  )
  const [{ ReceiptHandle } = {}] = Messages
  await run(client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })))
  await run(client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })))
  const deleted = Messages.slice(1).map((message, index) => ({ Id: `${index}`, ReceiptHandle: message.ReceiptHandle }))
  await run(client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: deleted })))
  await run(client.send(new PurgeQueueCommand({ QueueUrl })))
  return shapes
}

/** The names and types of all fields. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return typeof value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, shapeOf(field)]).sort())
}
