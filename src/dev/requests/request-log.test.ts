import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyReply } from 'fastify'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../platform/errors/api-error.ts'
import { Entry } from './entry.ts'
import { parseSince } from './operations.ts'
import { RecentRequests } from './recent-requests.ts'
import { RequestLog } from './request-log.ts'

interface Exchange {
  url?: string
  params?: object
  rawHeaders?: string[]
  body?: string
  sent?: Record<string, string>
  response?: string
  thrown?: unknown
}

const recent = new RecentRequests(new RequestLog(1))

function add(log: RequestLog, id: string, exchange: Exchange = {}): Entry {
  const { url = '/', params = {}, rawHeaders = [], body = '', sent = {}, response = '', thrown } = exchange
  const headers = Object.fromEntries(rawHeaders.flatMap((name, at) => (at % 2 ? [] : [[name, rawHeaders[at + 1]]])))
  const request = {
    id,
    method: 'POST',
    url,
    params,
    headers,
    rawBody: Buffer.from(body),
    body: {},
    thrown,
    raw: { rawHeaders, socket: {} },
  }
  const reply = { request, raw: { sentHeaders: sent }, sent: true, statusCode: 200 }
  const entry = new Entry({
    reply: reply as unknown as FastifyReply,
    operation: 'createFeed',
    recent,
    linkPrefix: 'http://127.0.0.1/_souk/requests/',
    startedAt: 0,
    time: 0,
  })
  log.add(entry)
  entry.keepResponseBody(response)
  entry.finish('completed')
  log.finished(entry)
  return entry
}

describe('a request has its own headers', () => {
  const common = { server: 'souk', 'x-amzn-requestid': 'first', 'content-length': '2' }

  test.each<[string, string[]]>([
    ['the same', ['host', 'a', 'accept', 'b']],
    ['another value', ['host', 'a', 'accept', 'c']],
    ['another name', ['host', 'a', 'x-note', 'b']],
    ['more', ['host', 'a']],
    ['fewer', ['host', 'a', 'accept', 'b', 'x-note', 'c']],
  ])('when the one before it had %s', (_, rawHeaders) => {
    const log = new RequestLog(10)
    const first = add(log, 'first', { rawHeaders: ['host', 'a', 'accept', 'b'] })
    const second = add(log, 'second', { rawHeaders })
    expect(first.requestHeaders).toEqual({ host: 'a', accept: 'b' })
    expect(Object.entries(second.requestHeaders).flat()).toEqual(rawHeaders)
  })

  test('when many clients send requests in turn', () => {
    const log = new RequestLog(100)
    const names = Array.from({ length: 50 }, (_, index) => `client ${index % 7}`)
    const entries = names.map((name) => add(log, name, { rawHeaders: ['user-agent', name] }))
    expect(entries.map(({ requestHeaders }) => requestHeaders['user-agent'])).toEqual(names)
  })

  test.each<[string, Record<string, string>]>([
    ['has another id and length', { ...common, 'x-amzn-requestid': 'second', 'content-length': '30' }],
    ['has no length', { server: 'souk', 'x-amzn-requestid': 'second' }],
    ['has an id that is not its own', common],
    ['has another value', { ...common, server: 'other', 'x-amzn-requestid': 'second' }],
    ['has another name', { vary: 'souk', 'x-amzn-requestid': 'second', 'content-length': '2' }],
    ['has more', { ...common, 'x-amzn-requestid': 'second', vary: 'origin' }],
    ['has none', {}],
  ])('when its response %s', (_, sent) => {
    const log = new RequestLog(10)
    const first = add(log, 'first', { sent: common })
    const second = add(log, 'second', { sent })
    expect(first.responseHeaders).toEqual({ ...common, 'x-souk-request-url': first.link })
    expect(second.responseHeaders).toEqual({ ...sent, 'x-souk-request-url': second.link })
    expect(second.link).toBe('http://127.0.0.1/_souk/requests/second')
  })
})

test('a request has its own URL, parameters and response, also between others that repeat themselves', () => {
  const log = new RequestLog(10)
  const long = 'a'.repeat(5_000)
  const exchanges = ['1', '1', '2', '1', long, long, '2'].map((feedId) => ({
    url: `/feeds/${feedId}`,
    params: { feedId },
    response: `{"feedId":"${feedId}"}`,
  }))
  const entries = exchanges.map((exchange, index) => add(log, `${index}`, exchange))
  expect(entries.map(({ url, params, responseBody }) => ({ url, params, response: responseBody }))).toEqual(exchanges)
})

test('the log gives back the memory of requests that made room for others', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const log = new RequestLog(100_000, { maxBytes: 50_000 })
  const added = Array.from(
    { length: 100 },
    (_, index) => new WeakRef(add(log, `${index}`, { body: 'a'.repeat(8_000) })),
  )
  // A reference that was just made lives until the next turn.
  await setImmediate()
  collectGarbage()
  const kept = added.filter((reference) => reference.deref()).length
  expect(kept).toBe(log.list().length)
  expect(kept).toBeLessThan(10)
})

test('headers count against the size of the log', () => {
  const log = new RequestLog(1_000, { maxBytes: 50_000 })
  for (let index = 0; index < 10; index++) add(log, `${index}`, { rawHeaders: ['x-note', 'a'.repeat(10_000)] })
  expect(log.list().map(({ id }) => id)).toEqual(['9', '8', '7', '6'])
})

test('a body that what refused it may hold on to counts as much as it takes when it is parsed', () => {
  const log = new RequestLog(1_000, { maxBytes: 500_000 })
  const body = 'a'.repeat(10_000)
  const explained = { explain: () => ({}) }
  const refusals = [
    { explainSent: () => ({}) },
    {},
    explained,
    { cause: new ApiError('InvalidInput', '', '', explained) },
  ]
  const sizes = refusals.map((options, index) => {
    const thrown = new ApiError('InvalidInput', '', '', options)
    return add(log, `${index}`, { body, thrown }).bytes
  })
  expect(sizes.map((size) => Math.floor(size / 10_000))).toEqual([1, 1, 23, 23])
  expect(log.list().map(({ id }) => id)).toEqual(['3', '2', '1', '0'])
  add(log, '4', { body, thrown: new ApiError('InvalidInput', '', '', explained) })
  expect(log.list().map(({ id }) => id)).toEqual(['4', '3'])
})

test('requests after another one are known to be missing, also when that one is dropped, too', () => {
  const log = new RequestLog(2)
  for (const id of ['old', 'older', 'first']) add(log, id)
  const { mayInclude } = parseSince(log, 'first')
  const isIncomplete = () => [...log.dropped.values()].some(mayInclude)
  add(log, 'second')
  expect(isIncomplete()).toBe(false)
  add(log, 'third')
  expect(isIncomplete()).toBe(false)
  add(log, 'fourth')
  expect(isIncomplete()).toBe(true)
})
