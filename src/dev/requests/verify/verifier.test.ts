import type { FastifyReply } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Entry } from '../entry.ts'
import { Matcher } from '../matcher.ts'
import { RecentRequests } from '../recent-requests.ts'
import { RequestLog } from '../request-log.ts'
import { checkExpectation } from './check.ts'
import { Verifier } from './verifier.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const recent = new RecentRequests(new RequestLog(1))
let numbers = 0

function add(log: RequestLog, body: object): void {
  const rawBody = Buffer.from(JSON.stringify(body))
  const raw = { rawHeaders: [], socket: {} }
  const request = { id: `${++numbers}`, method: 'POST', url: '/', params: {}, headers: {}, rawBody, raw }
  const reply = { request, raw: { sentHeaders: {} }, sent: true, statusCode: 200 } as unknown as FastifyReply
  const entry = new Entry({ reply, operation: 'unknown', recent, linkPrefix: '', startedAt: numbers, time: 0 })
  log.add(entry)
  entry.finish('completed')
  log.finished(entry)
}

test('a verification that waits reads the body of each request once, however often it looks', async () => {
  const log = new RequestLog(1_000)
  for (let count = 0; count < 100; count++) add(log, { count })
  const bodies = vi.spyOn(Entry.prototype, 'requestBody', 'get')
  const verifier = new Verifier({ log, controlUrl: () => '' })
  const verified = verifier.verify({ expectations: [{ body: { count: -1 } }], timeoutSeconds: 60 })
  for (let count = 0; count < 10; count++) {
    add(log, { count })
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(bodies.mock.calls.length).toBe(110)
  add(log, { count: -1 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await verified).toMatchObject({ passed: true })
})

test('a pause after each of many responses is checked with a few looks at each of them', () => {
  const TOTAL = 5_000
  let looks = 0
  const entries = Array.from({ length: TOTAL }, (_, index) => ({
    number: index + 1,
    operation: 'getOrder',
    outcome: 'completed',
    url: '/',
    status: 429,
    milliseconds: 0,
    time: 0,
    endedAt: index * 1_000,
    get startedAt() {
      looks++
      return index * 1_000
    },
  })) as unknown as Entry[]
  const pause = (milliseconds: number) =>
    checkExpectation(
      {
        kind: 'pause',
        name: undefined,
        operation: undefined,
        after: new Matcher({ status: 429 }),
        matcher: new Matcher({}),
        milliseconds,
        sameOperation: true,
      },
      { entries, maxBodyBytes: recent.maxBodyBytes, countDropped: () => 0 },
    )
  expect(pause(1_000)).toMatchObject({ passed: true, seen: TOTAL })
  expect(looks).toBeLessThan(TOTAL * 20)
  expect(pause(1_001)).toMatchObject({ passed: false })
})
