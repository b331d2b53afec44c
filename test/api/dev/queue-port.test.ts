import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import openapi from '../../../openapi/openapi.json' with { type: 'json' }
import { LocalQueue } from '../../../src/dev/local-queue.ts'
import { notificationsClient, sqs } from '../../support/notifications.ts'
import { startTestSouk } from '../../support/souk.ts'

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
    const souk = await startTestSouk()
    for (const path of ['/_souk/clock', '/docs', ...Object.keys(openapi.paths)]) {
      const response = await fetch(souk.queueUrl + path.replace(/\{\w+\}/g, 'x'), { method: 'POST', body: '{}' })
      expect(response.status, path).toBe(404)
      expect(await response.text(), path).toContain(`The Selling Partner API is at ${souk.url}.`)
    }
  })

  test('serves SQS clients', async () => {
    const souk = await startTestSouk()
    const response = await fetch(souk.queueUrl, { method: 'POST', headers: LIST_QUEUES, body: '{}' })
    expect(response.status).toBe(200)
    expect(await listQueuesAt(souk.queueUrl)).toMatchObject({ status: 200 })
  })

  test("refers clients of the vendor's queue hosts to the queue service that notifications are sent to", async () => {
    const endpoint = 'http://127.0.0.1:9324'
    const souk = await startTestSouk({ messaging: { sqs: { endpoint } } })
    const { status, body } = await listQueuesAt(souk.queueUrl)
    expect({ status, ...JSON.parse(body) }).toEqual({
      status: 400,
      __type: 'com.amazonaws.sqs#UnsupportedOperation',
      message: expect.stringContaining(`Souk sends notifications to the queue service at ${endpoint}`),
    })
  })

  test('serves clients again after a failed start of the emulator', async () => {
    let isBusy = true
    const queue = new LocalQueue({
      async listQueues() {
        if (isBusy) throw new Error('the database is busy')
        return ['arn:aws:sqs:us-east-1:000000000000:orders']
      },
      sellerApiUrl: () => '',
      otherEndpoint: undefined,
    })
    onTestFinished(() => queue.stop())
    const url = await queue.listen('127.0.0.1', 0)
    expect(await listQueuesAt(url)).toEqual({ status: 500, body: 'the database is busy' })
    isBusy = false
    const { status, body } = await listQueuesAt(url)
    expect(status).toBe(200)
    expect(body).toContain('/orders')
  })

  test('returns URLs of queues that lead to it, because clients send the next requests there', async () => {
    const souk = await startTestSouk()
    await notificationsClient(souk).destination(sqs('reachable'))
    const response = await fetch(souk.queueUrl, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.GetQueueUrl', 'content-type': 'application/x-amz-json-1.0' },
      body: JSON.stringify({ QueueName: 'reachable' }),
    })
    const { QueueUrl } = (await response.json()) as { QueueUrl: string }
    expect(new URL(QueueUrl).origin).toBe(souk.queueUrl)
  })
})
