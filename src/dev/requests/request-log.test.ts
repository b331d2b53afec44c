import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Entry } from './entry.ts'
import { parseSince } from './operations.ts'
import { RequestLog } from './request-log.ts'

function add(log: RequestLog, id: string, { rawHeaders = [] as string[], body = '' } = {}): Entry {
  const request = { id, method: 'POST', url: '/', headers: {}, rawBody: Buffer.from(body), raw: { rawHeaders } }
  const reply = { raw: {}, sent: true, statusCode: 200, getHeaders: () => ({}) }
  const entry = new Entry({
    request: request as unknown as FastifyRequest,
    reply: reply as unknown as FastifyReply,
    operation: 'createFeed',
    link: 'http://127.0.0.1/_souk/requests/1',
    startedAt: 0,
    time: 0,
  })
  log.add(entry)
  entry.finish('completed')
  log.finished(entry)
  return entry
}

test('the log gives back the memory of requests that made room for others', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const log = new RequestLog(100_000, 50_000)
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
  const log = new RequestLog(1_000, 50_000)
  for (let index = 0; index < 10; index++) add(log, `${index}`, { rawHeaders: ['x-note', 'a'.repeat(10_000)] })
  expect(log.list().map(({ id }) => id)).toEqual(['9', '8', '7', '6'])
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
