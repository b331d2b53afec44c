import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSdk } from './as-sdk.ts'
import { SDK_OPERATIONS } from './sdk-operations.ts'

type Methods = Record<string, ((...values: unknown[]) => unknown) | undefined>
// The index of the package has no types.
const PACKAGE: string = '@amazon-sp-api-release/amazon-sp-api-sdk-js'
const classes: Record<string, Record<string, { prototype: Methods }>> = await import(PACKAGE)

const received: string[] = []
let server: Server
let origin: string
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(`${request.method} ${request.url} ${request.headers['x-amz-access-token']} ${body}`.trim())
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const request = (operation: string, method: string, path: string, query = '', body?: string) => ({
  operation,
  method,
  path,
  query,
  request: { headers: {}, bytes: 0, ...(body !== undefined && { body }) },
})

test.each([
  request('getAccount', 'GET', '/sellers/v1/account'),
  request('getOrders', 'GET', '/orders/v0/orders', 'CreatedAfter=2026-01-01&MarketplaceIds=A1%2CA2'),
  request('getOrder20260101', 'GET', '/orders/2026-01-01/orders/1-2', 'includedData=BUYER'),
  request('getItemOffers', 'GET', '/products/pricing/v0/items/B01/offers', 'MarketplaceId=A1&ItemCondition=New'),
  request('patchListingsItem', 'PATCH', "/listings/2021-08-01/items/S1/it's%2F1", 'marketplaceIds=A1', '{"a":[1]}'),
  request('confirmShipment', 'POST', '/orders/v0/orders/1-2/shipmentConfirmation', '', '{"a":1}'),
])('copied code of the SDK sends $operation again', async (sent) => {
  const code = asSdk(sent, origin) ?? ''
  const [statement = '', ...lines] = code.split('\n')
  const namespace = /^import \{ (\w+) \}/.exec(statement)?.[1] ?? ''
  const run = new Function(namespace, 'process', 'console', `return (async () => {${lines.join('\n')}})()`)
  received.length = 0
  await run(classes[namespace], { env: { ACCESS_TOKEN: 'token' } }, { log() {} })
  const { method, path, query, request } = sent
  expect(received.map(normalize)).toEqual([
    normalize(`${method} ${path}${query && `?${query}`} token ${request.body ?? ''}`.trim()),
  ])
})

/** The order of parameters and the escapes are free. */
function normalize(line: string) {
  const [method, target = '', ...rest] = line.split(' ')
  const { pathname, searchParams } = new URL(target, 'http://souk')
  return [method, decodeURIComponent(pathname), Object.fromEntries(searchParams), rest.join(' ')]
}

test('the SDK has every operation of the table, with as many parameters', () => {
  for (const [name, { namespace, className, method, parameters }] of SDK_OPERATIONS) {
    const required = parameters.filter(({ isOption }) => !isOption).length
    const hasOptions = parameters.some(({ isOption }) => isOption)
    expect([name, classes[namespace]?.[className]?.prototype[method]?.length]).toEqual([
      name,
      required + (hasOptions ? 1 : 0),
    ])
  }
})

test('there is no code for what the SDK cannot send', () => {
  expect(asSdk(request('createToken', 'POST', '/auth/o2/token'), origin)).toBeUndefined()
  expect(asSdk(request('getAccount', 'GET', '/sellers/v1/account', 'unknown=1'), origin)).toBeUndefined()
  expect(asSdk(request('createReport', 'POST', '/reports/2021-06-30/reports', '', '{'), origin)).toBeUndefined()
  expect(asSdk(request('getOrders', 'GET', '/orders/v0/orders'), origin)).toBeUndefined()
})
