import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { NOTIFICATIONS, type TestSouk } from './souk.ts'

export const DESTINATIONS = '/notifications/v1/destinations'
export const SUBSCRIPTIONS = '/notifications/v1/subscriptions'

export const arnOf = (queue: string) => `arn:aws:sqs:us-east-1:123456789012:${queue}`
export const sqs = (queue: string) => ({ sqs: { arn: arnOf(queue) } })
export const eventBridge = (accountId = '210987654321', region = 'eu-west-1') => ({
  eventBridge: { accountId, region },
})

type Fields = Record<string, unknown>
export interface Notification {
  [name: string]: unknown
}

const HOUR = 60 * 60 * 1000

export type NotificationsClient = ReturnType<typeof notificationsClient>

/** An application that acts for itself and for a seller. Renews expired tokens. */
export function notificationsClient(souk: TestSouk, refreshToken: string = souk.demo.refreshToken) {
  const tokens = { seller: '', grantless: '', endAt: 0 }
  const renewed = async () => {
    const now = souk.clock.now().getTime()
    if (now < tokens.endAt) return tokens
    tokens.seller = await souk.tokenFor(refreshToken)
    tokens.grantless = await souk.grantlessToken(NOTIFICATIONS)
    // Repeated requests return the same token for ten seconds.
    tokens.endAt = now + HOUR - 10_000
    return tokens
  }
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, as: 'seller' | 'grantless', payload?: Fields) =>
    souk.send(method, path, { token: (await renewed())[as], ...(payload && { payload }) })

  const client = {
    send,
    createDestination: (resourceSpecification: unknown, fields: Fields = {}) =>
      send('POST', DESTINATIONS, 'grantless', { name: 'A destination', resourceSpecification, ...fields }),
    /** Returns the id of a new destination. */
    async destination(resourceSpecification: object): Promise<string> {
      return payloadOf(await client.createDestination(resourceSpecification)).destinationId
    },
    createSubscription: (type: string, fields: Fields) => send('POST', `${SUBSCRIPTIONS}/${type}`, 'seller', fields),
    /** Returns the id of a new subscription. */
    async subscription(type: string, destinationId: string, fields: Fields = {}): Promise<string> {
      const response = await client.createSubscription(type, { payloadVersion: '1.0', destinationId, ...fields })
      return payloadOf(response).subscriptionId
    },
    /** Subscribes a new queue to a type and returns both ids. */
    async listen(queue: string, type: string, fields: Fields = {}) {
      const destinationId = await client.destination(sqs(queue))
      return { destinationId, subscriptionId: await client.subscription(type, destinationId, fields) }
    },
    test: (type: string, destinationId: string, payloadVersion: string) =>
      send('POST', `${SUBSCRIPTIONS}/${type}/testNotification`, 'grantless', {
        destinationId,
        testNotification: { payloadVersion },
      }),
  }
  return client
}

/** The payload of a successful response. */
export function payloadOf(response: LightMyRequestResponse) {
  expect(response.statusCode, response.body).toBe(200)
  return response.json().payload
}

/** Receives and deletes all messages of a queue. */
export async function receive(queueUrl: string, queue: string): Promise<Notification[]> {
  const received: Notification[] = []
  for (;;) {
    const { Messages = [] } = await call(queueUrl, 'ReceiveMessage', {
      ...named(queueUrl, queue),
      MaxNumberOfMessages: 10,
    })
    if (Messages.length === 0) return received
    received.push(...Messages.map(({ Body }) => JSON.parse(Body)))
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    await call(queueUrl, 'DeleteMessageBatch', { ...named(queueUrl, queue), Entries })
  }
}

const named = (queueUrl: string, queue: string) => ({ QueueUrl: `${queueUrl}/123456789012/${queue}` })

async function call(
  queueUrl: string,
  action: string,
  body: object,
): Promise<{ Messages?: { Body: string; ReceiptHandle: string }[] }> {
  const response = await fetch(queueUrl, {
    method: 'POST',
    headers: { 'x-amz-target': `AmazonSQS.${action}`, 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${action}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { Messages?: { Body: string; ReceiptHandle: string }[] }
}

/** The events for EventBridge, oldest first. */
export async function busEvents(souk: TestSouk): Promise<{ 'detail-type': string; detail: Notification }[]> {
  return (await souk.get('/_souk/eventBus?limit=1000')).json().events.reverse()
}
