import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import controlPlane from '../../../openapi/control-plane.json' with { type: 'json' }
import openapi from '../../../openapi/openapi.json' with { type: 'json' }
import { demo } from '../../../src/dev/demo/index.ts'
import { NOTIFICATIONS, ROTATION, startTestSouk, type TestSouk } from '../../support/souk.ts'

interface Operation {
  operationId: string
  security: Record<string, unknown>[]
  requestBody?: object
  'x-body-limit-bytes'?: number
}
interface Route {
  name: string
  method: string
  path: string
  limit: number
  operation: Operation
}

const MEBIBYTE = 1024 * 1024
const documented = Object.entries({ ...openapi.paths, ...controlPlane.paths }).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
)
const routes: Route[] = documented.flatMap(({ path, method, operation }) => {
  const limit = operation['x-body-limit-bytes']
  if (limit === undefined) return []
  return [
    {
      name: operation.operationId,
      method: method.toUpperCase(),
      path: path.replace('{sellerId}', demo.sellerId).replace(/\{\w+\}/g, 'x'),
      limit,
      operation,
    },
  ]
})

const SPACES = Buffer.alloc(65 * MEBIBYTE, ' ')

let souk: TestSouk
let tokens: string[]
beforeAll(async () => {
  souk = await startTestSouk()
  tokens = [await souk.tokenFor(souk.demo.refreshToken), await souk.grantlessToken(`${NOTIFICATIONS} ${ROTATION}`)]
})

interface Answer {
  status: number
  type: string | undefined
  body: string
}

/** Sends the given number of bytes. Returns the response, which may arrive before all of them were sent. */
async function send(
  { method, path }: Route,
  headers: Record<string, string>,
  bytes: number,
  length: 'declared' | 'chunked',
) {
  const call = request(souk.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(length === 'declared' ? { 'content-length': bytes } : { 'transfer-encoding': 'chunked' }),
    },
  })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  call.end(SPACES.subarray(0, bytes))
  const [response] = await answered
  const body = await text(response)
  return { status: response.statusCode ?? 0, type: response.headers['content-type'], body } satisfies Answer
}

/** The route as it can be called, and the credentials that it takes. */
async function prepare(route: Route): Promise<{ route: Route; headers: Record<string, string> }> {
  if (route.name === 'uploadDocument') {
    const contentType = 'text/plain'
    const payload = { contentType }
    const response = await souk.post('/feeds/2021-06-30/documents', { token: tokens[0] as string, payload })
    const { pathname, search } = new URL(response.json().url)
    return { route: { ...route, path: pathname + search }, headers: { 'content-type': contentType } }
  }
  const [scheme = ''] = route.operation.security.flatMap((one) => Object.keys(one))
  if (scheme === '') return { route, headers: {} }
  if (scheme === 'operatorKey') return { route, headers: souk.operator }
  for (const token of tokens) {
    const headers = { 'x-amz-access-token': token }
    if ((await send(route, headers, 1, 'declared')).status !== 403) return { route, headers }
  }
  throw new Error(`${route.name} takes neither token`)
}

test('every operation with a body documents its maximum size', () => {
  const silent = documented.filter(({ operation }) => operation.requestBody && !operation['x-body-limit-bytes'])
  expect(silent).toEqual([])
  expect(routes.length).toBeGreaterThan(25)
})

test('operator batches may have 16 MiB, documents 32 MiB', () => {
  const limitOf = (name: string) => routes.find((route) => route.name === name)?.limit
  expect(limitOf('upsertOrders')).toBe(16 * MEBIBYTE)
  expect(limitOf('uploadDocument')).toBe(32 * MEBIBYTE)
})

async function expectLimit(one: Route, length: 'declared' | 'chunked'): Promise<void> {
  const { route, headers } = await prepare(one)
  const largest = await send(route, headers, one.limit, length)
  expect(largest.status, largest.body).not.toBe(413)
  expect(largest.status).toBeLessThan(500)
  expect(largest.body).not.toContain('TooLarge')
  expectTooLarge(one, await send(route, headers, one.limit + 1, length))
}

test.each(routes)('$method $path accepts a body of $limit bytes and no more', (route) => expectLimit(route, 'declared'))

// The length is counted in one place for all routes, and refused by another rule than a declared one.
test.each([...Map.groupBy(routes, ({ limit }) => limit).values()].map(([route]) => route as Route))(
  '$method $path accepts a chunked body of $limit bytes and no more',
  (route) => expectLimit(route, 'chunked'),
)

function expectTooLarge({ name }: Route, { status, type, body }: Answer): void {
  if (name === 'uploadDocument') {
    // The status is S3's own for this.
    expect({ status, type }).toEqual({ status: 400, type: 'application/xml' })
    expect(body).toContain('<Code>EntityTooLarge</Code>')
    return
  }
  expect({ status, type }).toEqual({ status: 413, type: 'application/json; charset=utf-8' })
  const answer = JSON.parse(body)
  if (name === 'createAccessToken' || answer.error) expect(answer).toMatchObject({ error: 'invalid_request' })
  else expect(answer.errors).toMatchObject([{ code: 'RequestTooLarge' }])
}
