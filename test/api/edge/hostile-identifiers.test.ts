import { readFileSync } from 'node:fs'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorStatus } from '../../../src/platform/errors/api-error.ts'
import { oauthErrorStatus } from '../../../src/platform/errors/oauth-error.ts'
import { storageErrorStatus } from '../../../src/platform/errors/storage-error.ts'
import { hostileIdentifiers } from '../../support/hostile-identifiers.ts'
import { listLocations, type Operation, readOperations } from '../../support/openapi-parameters.ts'
import { NOTIFICATIONS, ROTATION, type TestSouk } from '../../support/souk.ts'
import { readAllRows } from '../../support/table-rows.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

/** Does not end by itself. It takes the parameters of the list of requests. */
const STREAM = '/_souk/requests/stream'

const operations = ['openapi', 'control-plane']
  .flatMap((name) =>
    readOperations(JSON.parse(readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8'))),
  )
  .filter(({ path }) => path !== STREAM)

let souk: TestSouk
let database: Awaited<ReturnType<typeof startWatchedSouk>>['database']
let samples: Record<string, unknown>
const headers: Record<string, Record<string, string>> = {}
beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk())
  const { demo } = souk
  headers.operator = souk.operator
  headers.seller = { 'x-amz-access-token': await souk.tokenFor(demo.refreshToken) }
  headers.grantless = { 'x-amz-access-token': await souk.grantlessToken(`${NOTIFICATIONS} ${ROTATION}`) }
  headers.public = {}
  samples = {
    sellerId: demo.sellerId,
    marketplaceId: demo.marketplaceId,
    applicationId: demo.applicationId,
    client_id: demo.clientId,
    client_secret: demo.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: demo.refreshToken,
    sku: demo.skus[0],
    SellerSKU: demo.skus[0],
    asin: demo.asins[0],
    Asin: demo.asins[0],
    orderId: demo.orders.notDelivered,
    amazonOrderId: demo.orders.notDelivered,
    productType: demo.productType,
    reportType: 'GET_SELLER_FEEDBACK_DATA',
    feedType: 'JSON_LISTINGS_FEED',
    notificationType: 'ANY_OFFER_CHANGED',
    payloadVersion: '1.0',
    arn: 'arn:aws:sqs:us-east-1:123456789012:queue',
    path: '/attributes/item_name',
    uri: '/products/pricing/2022-05-01/items/competitiveSummary',
    method: 'GET',
    contentType: 'application/json',
    currencyCode: 'USD',
    countryCode: 'US',
    languageCode: 'en_US',
    domainName: 'souk.example',
  }
})

interface Sent {
  operation: Operation
  request: { url: string; payload?: unknown }
  status: number
}
const refusedWrites: Sent[] = []

describe('every operation accepts hostile identifiers or returns a documented error', () => {
  let round = 0

  test.each(operations)('$method $path', async (operation) => {
    for (const place of listLocations(operation, samples)) {
      let isRefused = false
      for (const value of someValues(place.isFree ? 4 : 1, ++round)) {
        const request = place.fill(value)
        const response = await call(operation, request)
        checkAnswer(operation, response, `${place.name} = ${JSON.stringify(value.slice(0, 60))}`)
        const { statusCode: status } = response
        // A verification has another result after more requests.
        const isWrite = operation.method !== 'GET' && operation.path !== '/_souk/verify'
        // One of each field is enough to repeat: they are refused in the same place.
        if (status >= 400 && isWrite && !isRefused) {
          refusedWrites.push({ operation, request, status })
          isRefused = true
        }
      }
    }
  })

  test('refused requests write nothing', async () => {
    expect(refusedWrites.length).toBeGreaterThan(100)
    await souk.idle()
    const before = await readAllRows(database)
    for (const { operation, request, status } of refusedWrites) {
      expect((await call(operation, request)).statusCode, `${operation.path} ${request.url}`).toBe(status)
    }
    await souk.idle()
    const after = new Set(await readAllRows(database))
    expect(before.filter((row) => !after.has(row))).toEqual([])
    expect(after.size).toBe(before.length)
  })
})

/** A different selection of the identifiers for each field: all are used, and the suite stays fast. */
function someValues(count: number, round: number): string[] {
  const start = (round * 7) % hostileIdentifiers.length
  const others = [...hostileIdentifiers, ...hostileIdentifiers].slice(start, start + count)
  return [...new Set([hostileIdentifiers[0], '__proto__', ...others])]
}

test('hostile header values are treated like other invalid values', async () => {
  const tokens = ['x-amz-access-token', 'x-svc-access-token', 'authorization']
  const others = ['user-agent', 'content-type', 'accept', 'range', 'x-amz-date', 'x-amz-target', 'host']
  const requests = [
    ['GET', '/sellers/v1/account', 'api'],
    ['GET', '/operator/v1/sellers', 'api'],
    ['POST', '/auth/o2/token', 'oauth'],
  ] as const
  for (const value of someValues(12, 1)) {
    // As bytes on the wire, without the characters that no client can send.
    const bytes = Buffer.from(value)
      .toString('latin1')
      .replace(/\p{Cc}/gu, '')
    for (const name of [...tokens, ...others]) {
      for (const [method, path, kind] of requests) {
        const sent = { ...(path.startsWith('/operator') ? headers.operator : headers.seller), [name]: bytes }
        const response = await souk.send(method, path, { headers: sent, ...(method === 'POST' && { payload: '{}' }) })
        checkAnswer({ path, kind }, response, `${name}: ${bytes}`)
      }
    }
  }
})

function call({ method, access }: Operation, { url, payload }: { url: string; payload?: unknown }) {
  const json = payload === undefined ? {} : { payload: JSON.stringify(payload) }
  const type = payload === undefined ? {} : { 'content-type': 'application/json' }
  return souk.send(method as InjectOptions['method'], url, { headers: { ...headers[access], ...type }, ...json })
}

/** Throws if a response is not documented. Uses plain conditions because it checks thousands of responses. */
function checkAnswer({ path, kind }: Pick<Operation, 'path' | 'kind'>, response: LightMyRequestResponse, what: string) {
  const { statusCode, body } = response
  const reason = String(response.headers['x-souk-reason'] ?? '')
  // Expectations that are not met are a result, not an error.
  if (path === '/_souk/verify' && statusCode === 406) return
  const isDocumented = statusCode < 400 || statusOf(kind, response) === statusCode
  if (statusCode < 500 && isDocumented && /^[ -~]{0,1000}$/.test(reason)) return
  throw new Error(`${path}, ${what}: ${statusCode} ${reason} ${body.slice(0, 300)}`)
}

/** The documented status of the error in a response. */
function statusOf(kind: Operation['kind'], response: LightMyRequestResponse): number | undefined {
  if (kind === 'storage') {
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(response.body) ?? []
    return (storageErrorStatus as Record<string, number>)[code]
  }
  if (kind === 'oauth') return (oauthErrorStatus as Record<string, number>)[response.json().error]
  const { errors } = response.json() as { errors: Record<string, unknown>[] }
  const isWhole = errors.every((one) => ['code', 'message', 'details'].every((key) => typeof one[key] === 'string'))
  return isWhole ? (errorStatus as Record<string, number>)[String(errors[0]?.code)] : undefined
}
