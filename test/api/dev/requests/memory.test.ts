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

const watchRequests: Routes = (app) =>
  app.addHook('onRequest', (request, _reply, done) => {
    received.set(request.id, new WeakRef(request.raw))
    done()
  })

const souk = await startTestSouk({ rates: 'documented', extraRoutes: [watchRequests] })
const token = await souk.tokenFor(souk.demo.refreshToken)

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
