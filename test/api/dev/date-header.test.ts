import { createServer, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CreateQueueCommand, ListQueuesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { ReportsClient } from '../../support/reports.ts'
import { startTestSouk } from '../../support/souk.ts'

const DAY = 86_400_000

/** All values of the header, which clients join. */
async function datesOf(url: string, options: RequestOptions = {}): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, options, resolve).once('error', reject).end()
  const response = await promise
  response.resume()
  return response.headersDistinct.date ?? []
}

describe('the header Date', () => {
  test('is the time of the marketplace, once on every response', async () => {
    const clock = new ManualClock('2030-02-03T04:05:06.789Z')
    const souk = await startTestSouk({ clock })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const client = new ReportsClient(souk)
    const { reportDocumentId } = await client.finished()
    const document = await client.documentUrl(reportDocumentId)
    const requests: [string, RequestOptions?][] = [
      [`${souk.url}/sellers/v1/account`, { headers: { 'x-amz-access-token': token } }],
      [`${souk.url}/sellers/v1/account`],
      [`${souk.url}/nothing`],
      [`${souk.url}/%`],
      [document],
      [`${souk.url}/_souk/clock`],
      [`${souk.queueUrl}/?Action=ListQueues`],
      [`${souk.queueUrl}/sellers/v1/account`],
      // By the proxy, as the clients of the vendor's hosts.
      [souk.url, { path: 'http://sqs.eu-west-1.amazonaws.com/?Action=ListQueues' }],
    ]
    for (const [url, options] of requests)
      expect(await datesOf(url, options), url).toEqual(['Sun, 03 Feb 2030 04:05:06 GMT'])
    expect((await souk.get('/healthz')).headers.date).toBe('Sun, 03 Feb 2030 04:05:06 GMT')

    clock.advance(300)
    for (const [url, options] of requests)
      expect(await datesOf(url, options), url).toEqual(['Sun, 03 Feb 2030 04:05:07 GMT'])
    clock.set(new Date('2026-01-01T00:00:00Z'))
    expect(await datesOf(`${souk.url}/healthz`)).toEqual(['Thu, 01 Jan 2026 00:00:00 GMT'])
  })

  test('is the one of another server, if the response is that of another server', async () => {
    const other = createServer((_, response) => response.setHeader('date', 'Mon, 01 Jan 2001 00:00:00 GMT').end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const souk = await startTestSouk({ proxyThrough: [`127.0.0.1:${port}`] })
    const path = `http://127.0.0.1:${port}/`
    expect(await datesOf(souk.url, { path })).toEqual(['Mon, 01 Jan 2001 00:00:00 GMT'])
  })

  test('lets an AWS client sign with the time of the marketplace, after a jump of a day and back', async () => {
    const clock = new ManualClock(new Date())
    const souk = await startTestSouk({ clock })
    const client = sqsClient(souk.queueUrl)
    const signedAt: number[] = []
    client.middlewareStack.add(
      (next) => async (args) => {
        const { headers } = args.request as { headers: Record<string, string> }
        const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(String(headers['x-amz-date'])) as unknown as [
          string,
          string,
          string,
        ]
        const parts = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].join('-')
        signedAt.push(Date.parse(`${parts}T${time.match(/../g)?.join(':')}Z`))
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low' },
    )
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'moved' }))
    const isSignedNow = () => Math.abs((signedAt.at(-1) as number) - clock.now().getTime()) < 300_000
    for (const move of [DAY, -DAY]) {
      clock.advance(move)
      // The client learns the time from this response.
      await client.send(new ListQueuesCommand({}))
      expect(isSignedNow()).toBe(false)
      await client.send(new ReceiveMessageCommand({ QueueUrl }))
      expect(isSignedNow()).toBe(true)
    }
  })
})
