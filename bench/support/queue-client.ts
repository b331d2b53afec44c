import { startFauxqs } from 'fauxqs'
import { demo } from '../../src/dev/demo/index.ts'
import { fetchToken } from './demo-client.ts'

const NOTIFICATIONS = '/notifications/v1'

/** Subscribes a queue to the demo seller's orders. Returns a function that sends a test, which wakes the relay. */
export async function subscribeQueue(url: string, queue: string): Promise<() => Promise<void>> {
  const seller = await fetchToken(url)
  const grantless = await fetchGrantlessToken(url)
  const arn = `arn:aws:sqs:us-east-1:123456789012:${queue}`
  const { payload } = await post(`${url}${NOTIFICATIONS}/destinations`, grantless, {
    name: queue,
    resourceSpecification: { sqs: { arn } },
  })
  const { destinationId } = payload as { destinationId: string }
  const type = `${url}${NOTIFICATIONS}/subscriptions/ORDER_CHANGE`
  await post(type, seller, { payloadVersion: '1.0', destinationId })
  return async () => {
    await post(`${type}/testNotification`, grantless, { destinationId, testNotification: { payloadVersion: '1.0' } })
  }
}

/** How many messages wait in a queue. */
export async function countMessages(queueUrl: string, queue: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages']
  const answer = await ask(queueUrl, 'GetQueueAttributes', { QueueUrl: addressOf(queueUrl, queue), AttributeNames })
  const { Attributes } = answer as { Attributes: { ApproximateNumberOfMessages: string } }
  return Number(Attributes.ApproximateNumberOfMessages)
}

/** Makes a queue, or empties the one that is there. */
export async function emptyQueue(queueUrl: string, queue: string): Promise<void> {
  await ask(queueUrl, 'CreateQueue', { QueueName: queue })
  await ask(queueUrl, 'PurgeQueue', { QueueUrl: addressOf(queueUrl, queue) })
}

/** A queue service in this process. */
export async function startQueue() {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop() }
}

const addressOf = (queueUrl: string, queue: string) => `${queueUrl}/123456789012/${queue}`

async function ask(queueUrl: string, action: string, body: object): Promise<unknown> {
  const response = await fetch(queueUrl, {
    method: 'POST',
    headers: { 'x-amz-target': `AmazonSQS.${action}`, 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${action}: ${response.status} ${await response.text()}`)
  return response.json().catch(() => ({}))
}

async function fetchGrantlessToken(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'sellingpartnerapi::notifications',
      client_id: demo.clientId,
      client_secret: demo.clientSecret,
    }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

async function post(url: string, token: string, body: object): Promise<{ payload?: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-amz-access-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { payload?: unknown }
}
