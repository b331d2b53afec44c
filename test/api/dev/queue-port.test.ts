import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { beforeAll, describe, expect, test } from 'vitest'
import controlPlane from '../../../openapi/control-plane.json' with { type: 'json' }
import openapi from '../../../openapi/openapi.json' with { type: 'json' }
import { arnOf, notificationsClient, sqs } from '../../support/notifications.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})

const LIST_QUEUES = { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' }

/** Sends a request of an SQS client that has the vendor's host built in. */
function listQueuesAt(url: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...LIST_QUEUES, host: 'sqs.us-east-1.amazonaws.com' }
    request(url, { method: 'POST', headers }, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) })
    })
      .on('error', reject)
      .end('{}')
  })
}

describe('the port of the local queue', () => {
  test('returns the URL of the API for every path of the API', async () => {
    for (const path of ['/docs', ...Object.keys(openapi.paths), ...Object.keys(controlPlane.paths)]) {
      const response = await fetch(souk.queueUrl + path.replace(/\{\w+\}/g, 'x'), { method: 'POST', body: '{}' })
      expect(response.status, path).toBe(404)
      expect(await response.text(), path).toContain(`The Selling Partner API is at ${souk.url}.`)
    }
  })

  describe('is no use to a web page of another site', () => {
    const get = (headers: Record<string, string>, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${souk.queueUrl}/?Action=ListQueues`, { method, headers }, (response) =>
          resolve(response.resume().statusCode),
        )
          .on('error', reject)
          .end()
      })
    const { host } = new URL('http://127.0.0.1:4701')

    test.each<[string, Record<string, string>, string?]>([
      ['an image', { host, 'sec-fetch-site': 'cross-site' }],
      ['an image at an address for which browsers do not name its site', { host: '192.168.1.5:4701' }],
      ['a request', { host, origin: 'http://evil.example' }],
      ['a form', { host, origin: 'http://evil.example' }, 'POST'],
      ['a page in a sandbox', { host, origin: 'null' }, 'POST'],
      ['a page whose name leads here', { host: 'evil.example:4701' }],
      ['a form of such a page', { host: 'evil.example:4701', origin: 'http://evil.example:4701' }, 'POST'],
    ])('%s', async (_, headers, method) => {
      expect(await get(headers, method)).toBe(403)
    })

    test.each<[string, Record<string, string>, string?]>([
      ['a program', { host }],
      ['a program by any name', { host: 'souk.example:4701' }, 'POST'],
      ['a program at any address', { host: '192.168.1.5:4701' }, 'POST'],
      ['a page of this machine', { host, origin: 'http://localhost:3000' }, 'POST'],
      ['the address bar', { host, 'sec-fetch-site': 'none' }],
    ])('but %s may use it', async (_, headers, method) => {
      expect(await get(headers, method)).toBe(200)
    })
  })

  test('serves SQS clients', async () => {
    const response = await fetch(souk.queueUrl, { method: 'POST', headers: LIST_QUEUES, body: '{}' })
    expect(response.status).toBe(200)
    expect(await listQueuesAt(souk.queueUrl)).toMatchObject({ status: 200 })
  })

  test("refers clients of the vendor's queue hosts to the queue service that notifications are sent to", async () => {
    const endpoint = 'http://127.0.0.1:9324'
    const { queueUrl } = await startTestSouk({ messaging: { sqs: { endpoint } }, demo: false })
    const { status, body } = await listQueuesAt(queueUrl)
    expect({ status, ...JSON.parse(body) }).toEqual({
      status: 400,
      __type: 'com.amazonaws.sqs#UnsupportedOperation',
      message: expect.stringContaining(`Souk sends notifications to the queue service at ${endpoint}`),
    })
  })

  test('returns URLs of queues that lead to it, because clients send the next requests there', async () => {
    await notificationsClient(souk).destination(sqs('reachable'))
    const response = await fetch(souk.queueUrl, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.GetQueueUrl', 'content-type': 'application/x-amz-json-1.0' },
      body: JSON.stringify({ QueueName: 'reachable' }),
    })
    const { QueueUrl } = (await response.json()) as { QueueUrl: string }
    expect(new URL(QueueUrl).origin).toBe(souk.queueUrl)
  })

  test('serves the queue of a destination, under its ARN', async () => {
    await notificationsClient(souk).destination(sqs('of-a-destination'))
    const QueueUrl = `${souk.queueUrl}/123456789012/of-a-destination`
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })
    const { Attributes } = await sqsClient(souk.queueUrl).send(command)
    expect(Attributes).toEqual({ QueueArn: arnOf('of-a-destination') })
  })
})
