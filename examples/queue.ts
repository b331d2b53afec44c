// Notifications on a queue: subscribe it, receive, and delete what is done.
import { DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { ApiCallError, type Client } from './client.ts'

interface Destination {
  destinationId: string
  resource: { sqs: { arn: string } | null }
}

const DESTINATIONS = '/notifications/v1/destinations'
const scope = 'sellingpartnerapi::notifications'

/** Subscribes the queue to a notification type, unless the seller has a subscription. */
export async function subscribe(call: Client, queueArn: string, type: string): Promise<void> {
  const path = `/notifications/v1/subscriptions/${type}`
  if (await exists(call('GET', path))) return
  const { payload } = await call<{ payload: Destination[] }>('GET', DESTINATIONS, { scope })
  let destination = payload.find(({ resource }) => resource.sqs?.arn === queueArn)
  if (!destination) {
    const body = { name: 'Examples', resourceSpecification: { sqs: { arn: queueArn } } }
    destination = (await call<{ payload: Destination }>('POST', DESTINATIONS, { scope, body })).payload
  }
  await call('POST', path, { body: { payloadVersion: '1.0', destinationId: destination.destinationId } })
}

async function exists(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (error instanceof ApiCallError && error.status === 404) return false
    throw error
  }
}

/** Calls the handler with the notifications that wait, and deletes them if it succeeds: a crash loses none. */
export async function receive<Payload, Result>(
  sqs: SQSClient,
  queueArn: string,
  waitSeconds: number,
  handle: (payloads: Payload[]) => Promise<Result>,
): Promise<Result> {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queueArn.split(':').at(-1) }))
  const request = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: waitSeconds }
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(request))
  const result = await handle(Messages.map(({ Body = '{}' }) => JSON.parse(Body).Payload))
  for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  return result
}
