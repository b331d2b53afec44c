import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import type { LoggedRequest } from '../../../../src/index.ts'
import { startTestSouk, type TestSouk } from '../../../support/souk.ts'

const STREAM = '/_souk/requests/stream'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})

interface Event {
  event: string
  data: LoggedRequest
}

/** Resolves when the stream is open. */
async function open(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  expect(response.headers['content-type']).toBe('text/event-stream')
  return response
}

/** Events as a client without a library reads them. */
async function* eventsOf(response: IncomingMessage): AsyncGenerator<Event> {
  let text = ''
  for await (const chunk of response) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() as string
    for (const part of parts) {
      const [, event, data] = /event: (\w+)\ndata: (.*)/.exec(part) ?? []
      if (event && data) yield { event, data: JSON.parse(data) }
    }
  }
}

async function nextOf<Item>(items: AsyncIterator<Item>): Promise<Item> {
  return (await items.next()).value
}

test('a stream has each request that matches, when it is over', async () => {
  const response = await open(`${souk.url}${STREAM}?path=/streamed`)
  const events = eventsOf(response)
  for (const path of ['/streamed/1', '/other', '/streamed/2']) await souk.get(path)
  expect(await nextOf(events)).toMatchObject({ event: 'request', data: { path: '/streamed/1', status: 404 } })
  expect(await nextOf(events)).toMatchObject({ event: 'request', data: { path: '/streamed/2' } })
  response.destroy()
})

test('a stream with a pace skips requests beyond it, and has their number', async () => {
  const response = await open(`${souk.url}${STREAM}?path=/paced&maxPerSecond=2`)
  const events = eventsOf(response)
  const sent = 50
  await Promise.all(Array.from({ length: sent }, (_, index) => souk.get(`/paced/${index}`)))
  let [passed, skipped] = [0, 0]
  while (passed + skipped < sent) {
    const { event, data } = await nextOf(events)
    if (event === 'request') passed++
    else skipped += (data as unknown as { count: number }).count
  }
  expect(passed + skipped).toBe(sent)
  expect(skipped).toBeGreaterThan(passed)
  await souk.get('/paced/last')
  expect(await nextOf(events)).toMatchObject({ event: 'request', data: { path: '/paced/last' } })
  response.destroy()
})

test('a stream has a request whose client left', async () => {
  const events = souk.requests.stream({ operation: 'createToken' })
  const request = get(`${souk.url}/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 100 },
  })
  request.on('error', () => {})
  request.write('{')
  await expect.poll(async () => (await souk.requests.list()).requests[0]?.outcome).toBe('running')
  request.destroy()
  expect(await nextOf(events)).toMatchObject({ operation: 'createToken', outcome: 'clientGone' })
  await events.return?.()
})

test('a stream has a request with a long body whose client left, also if it began before the stream', async () => {
  const request = get(`${souk.url}/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 50_000 },
  })
  request.on('error', () => {})
  request.write('{')
  await expect.poll(async () => (await souk.requests.list()).requests[0]?.outcome).toBe('running')
  const events = souk.requests.stream({ operation: 'createToken' })
  request.destroy()
  expect(await nextOf(events)).toMatchObject({ operation: 'createToken', outcome: 'clientGone' })
  await events.return?.()
})

test('a reader in the process gets requests that were sent before it reads', async () => {
  const requests = souk.requests.stream({ path: '/in-process' })
  await souk.get('/in-process/1')
  await souk.get('/in-process/2')
  const paths: string[] = []
  for await (const { path } of requests) {
    paths.push(path)
    if (paths.length === 2) break
  }
  expect(paths).toEqual(['/in-process/1', '/in-process/2'])
})

test('a reader that is too slow is cut off with an event, and no other reader is', async () => {
  const slow = await open(`${souk.url}${STREAM}`)
  const quick = await open(`${souk.url}${STREAM}`)
  let count = 0
  quick.on('data', (chunk) => {
    count += String(chunk).split('event: request').length - 1
  })
  // Buffers of the system hold some megabytes, too.
  const payload = { skus: Array.from({ length: 60 }, (_, index) => String(index).padEnd(1000, 'x')) }
  const sent = 250
  for (let count = 0; count < sent; count++) await souk.post('/slow', { payload })
  const events: string[] = []
  for await (const { event } of eventsOf(slow)) events.push(event)
  expect(events.at(-1)).toBe('dropped')
  expect(events.length).toBeLessThan(sent)
  await expect.poll(() => count).toBe(sent)
  quick.destroy()
})

test('a reader that does not read does not delay the stop of the marketplace', async () => {
  const own = await startTestSouk()
  const response = await open(`${own.url}${STREAM}`)
  const payload = { skus: Array.from({ length: 60 }, (_, index) => String(index).padEnd(1000, 'x')) }
  for (let count = 0; count < 120; count++) await own.post('/slow', { payload })
  const startedAt = performance.now()
  await own.stop()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  response.destroy()
})

test('a stream does not delay a reset, and ends when the marketplace stops', async () => {
  const own = await startTestSouk()
  const response = await open(`${own.url}${STREAM}`)
  const requests = own.requests.stream()
  response.resume()
  const ended = once(response, 'end')
  await own.reset()
  await own.stop()
  await ended
  expect(await requests.next()).toMatchObject({ done: true })
})
