import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { Routes } from '../../../../src/http/route.ts'
import { startTestSouk } from '../../../support/souk.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const received = new Map<string, WeakRef<object>>()

const parsed = new Map<string, WeakRef<object>>()

const watchRequests: Routes = (app) => {
  app.addHook('onRequest', (request, _reply, done) => {
    received.set(request.id, new WeakRef(request.raw))
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body) parsed.set(request.id, new WeakRef(request.body))
    done()
  })
}

const souk = await startTestSouk({ rates: 'documented', extraRoutes: [watchRequests] })
const token = await souk.tokenFor(souk.demo.refreshToken)

const unlimited = await startTestSouk()
const unlimitedToken = await unlimited.tokenFor(unlimited.demo.refreshToken)

const FEEDS = '/feeds/2021-06-30/feeds'
const PARTICIPATIONS = '/sellers/v1/marketplaceParticipations'

type Method = InjectOptions['method']

/** Sends a request until it is refused with a status, and returns its id: the response would keep the request. */
async function refuse(status: number, method: Method, path: string, payload?: string): Promise<string> {
  const request = { token, ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }) }
  for (let left = 20; left > 0; left--) {
    const { statusCode, headers } = await souk.send(method, path, request)
    if (statusCode === status) return String(headers['x-amzn-requestid'])
  }
  throw new Error(`${path} was not refused with ${status}`)
}

/** So many that the service no longer tracks the responses before them. */
async function sendOthers(): Promise<void> {
  for (let left = 64; left > 0; left--) await (await fetch(`${souk.url}${PARTICIPATIONS}`)).text()
  await setImmediate()
}

test.each<[what: string, status: number, method: Method, path: string, payload?: string]>([
  ['an exceeded quota', 429, 'GET', '/sellers/v1/account'],
  ['a wrong method', 405, 'DELETE', PARTICIPATIONS],
  ['a body that is not valid', 400, 'POST', FEEDS, '{}'],
  ['a body that is not JSON', 400, 'POST', '/reports/2021-06-30/reports', '{'],
  ['a body that is too large', 413, 'POST', FEEDS, ' '.repeat(2_000_000)],
  ['an unknown path', 404, 'GET', '/unknown'],
])('the log explains %s and does not keep the request and its connection in memory', async (_what, ...request) => {
  const id = await refuse(...request)
  await sendOthers()
  collectGarbage()
  expect(received.has(id)).toBe(true)
  expect(received.get(id)?.deref() === undefined).toBe(true)
  expect(await souk.requests.get(id)).toHaveProperty('explanation')
})

test('the log explains a body that is not valid and does not keep it parsed, which takes many times its memory', async () => {
  const id = await refuse(400, 'POST', FEEDS, '{"feedType":1,"other":[{},{},{}]}')
  await sendOthers()
  collectGarbage()
  expect(parsed.has(id)).toBe(true)
  expect(parsed.get(id)?.deref() === undefined).toBe(true)
  const { explanation } = await souk.requests.get(id)
  expect(explanation?.facts.sent).toEqual({ feedType: 1, other: [{}, {}, {}] })
})

test.each([
  ['an unsafe text', '"b":"\\u0000"'],
  ['a repeated key', '"a":1,"b":""'],
])('the log keeps no more than the text of a body with %s', async (_what, end) => {
  const body = `{"a":[${'{},'.repeat(19_000)}1],${end}}`
  const heapBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const send = async () => {
    // Not by the helper, which reads the explanation of each.
    const response = await fetch(`${unlimited.url}${FEEDS}`, {
      method: 'POST',
      headers: { 'x-amz-access-token': unlimitedToken, 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(400)
    await response.text()
    return String(response.headers.get('x-amzn-requestid'))
  }
  await send()
  await sendOthers()
  const before = heapBytes()
  const ids: string[] = []
  while (ids.length < 20) ids.push(await send())
  await sendOthers()
  // Parsed, each takes more than a megabyte.
  expect(heapBytes() - before).toBeLessThan(10_000_000)
  const { explanation } = await unlimited.requests.get(String(ids[0]))
  expect(explanation?.nearest?.body).toMatchObject({ b: '' })
})
