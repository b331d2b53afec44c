import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { probeRoutes } from '../../support/probe-routes.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string

beforeAll(async () => {
  souk = await startTestSouk({
    extraRoutes: [probeRoutes],
    timeouts: { headersMilliseconds: 300, idleMilliseconds: 300 },
  })
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const RDT = '/tokens/2021-03-01/restrictedDataToken'
const resource = '{"method":"GET","path":"/orders/v0/orders/{orderId}/address"}'
const postJson = (payload: string | Buffer, headers = {}) =>
  souk.post(RDT, { token, headers: { 'content-type': 'application/json', ...headers }, payload })

/** Writes raw bytes to the server. Returns everything received until the connection closes. */
function exchange(bytes: string, onConnect?: (socket: Socket) => void): Promise<string> {
  const { port } = new URL(souk.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(bytes)
      onConnect?.(socket)
    })
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

describe('every response', () => {
  test('has a unique request id and security headers, and no server banner', async () => {
    const answers = [await souk.get('/healthz'), await souk.get('/nowhere'), await souk.get('/sellers/v1/account')]
    for (const { headers } of answers) {
      expect(headers['x-amzn-requestid']).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['cache-control']).toBe('no-store')
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
    }
    expect(new Set(answers.map(({ headers }) => headers['x-amzn-requestid'])).size).toBe(3)
  })

  test('names the error in a header too', async () => {
    expect((await souk.get('/nowhere')).headers['x-amzn-errortype']).toBe('NotFound')
  })
})

describe('a URL', () => {
  test('that does not exist is 404, with or without a token', async () => {
    expect(errorOf(await souk.get('/nowhere'))).toMatchObject({ status: 404, code: 'NotFound' })
    expect(errorOf(await souk.post('/nowhere', { token, payload: { a: 1 } })).status).toBe(404)
  })

  test('with another method is 405 and lists the allowed methods', async () => {
    const response = await souk.delete('/sellers/v1/account', { token })
    expect(errorOf(response)).toMatchObject({ status: 405, code: 'MethodNotAllowed' })
    expect(response.headers.allow).toBe('GET')
    const order = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}`
    expect(errorOf(await souk.put(order, { token })).status).toBe(405)
  })

  test('whose percent-encoding is broken is 400', async () => {
    for (const path of ['/solicitations/v1/orders/%zz', '/probe/items/A/%E0%A4%A']) {
      const response = await souk.get(path, { token })
      expect(errorOf(response)).toMatchObject({ status: 400, code: 'InvalidInput' })
      expect(response.headers['x-amzn-requestid']).toBeDefined()
    }
  })

  test('with a segment of 1,001 characters is 400 or 404', async () => {
    const response = await souk.get(`/solicitations/v1/orders/${'9'.repeat(1001)}?marketplaceIds=X`, { token })
    expect([400, 404]).toContain(response.statusCode)
    expect(response.json().errors).toHaveLength(1)
  })

  test('may contain a SKU with any character, encoded once', async () => {
    for (const sku of ['a/b', 'a b', 'a#b', 'a+b', 'a%b', 'a%2Fb', 'ä€😀', '../x', '?']) {
      const path = `/probe/items/${souk.demo.sellerId}/${encodeURIComponent(sku)}`
      expect((await souk.get(path, { token })).json(), path).toEqual({ sku })
    }
  })
})

describe('a list in a query', () => {
  test.each(['a,b', 'a%2Cb', 'a&names=b', 'a,&names=,b'])('may be written names=%s', async (spelling) => {
    expect((await souk.get(`/probe/lists?names=${spelling}`)).json()).toEqual({ names: ['a', 'b'] })
  })

  test('is deduplicated, but duplicates count towards its limit', async () => {
    const ask = (names: string) => souk.get(`/probe/lists?names=${names}`)
    expect((await ask('b,a,b,a')).json()).toEqual({ names: ['b', 'a'] })
    expect(errorOf(await ask('a,a,a,a,a'))).toMatchObject({ status: 400, message: expect.stringContaining('names') })
  })

  test('returns the same for repeated and concurrent requests', async () => {
    const ask = async () => (await souk.get('/probe/lists?names=a,b,a&pageSize=7')).json()
    const answers = await Promise.all(Array.from({ length: 5 }, ask))
    for (const answer of [...answers, await ask()]) expect(answer).toEqual({ names: ['a', 'b'], pageSize: 7 })
  })

  test('may be omitted, and may be next to unknown keys', async () => {
    const response = await souk.get('/probe/lists?pageSize=5&unknown=1&__proto__=2&constructor=3')
    expect(response.json()).toMatchObject({ pageSize: 5 })
  })

  test('does not turn a single parameter into a list', async () => {
    const response = await souk.get('/probe/lists?pageSize=5&pageSize=6')
    expect(errorOf(response)).toMatchObject({ status: 400, message: expect.stringContaining('pageSize') })
  })
})

describe('a body', () => {
  test('that is not JSON is 400 with the position of the error', async () => {
    expect(errorOf(await postJson('{"a":'))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('not valid JSON'),
    })
  })

  test('with a duplicate key is 400, at any depth', async () => {
    for (const body of [
      `{"restrictedResources":[${resource}],"restrictedResources":[${resource}]}`,
      `{"restrictedResources":[{"method":"GET","method":"GET","path":"/a"}]}`,
    ]) {
      expect(errorOf(await postJson(body))).toMatchObject({ status: 400, details: expect.stringContaining('twice') })
    }
  })

  test('with colons, quotes and brackets in strings is parsed correctly', async () => {
    const body = `{"restrictedResources":[${resource}],"note":"a \\"key\\": {[ \\\\","x":"\\\\"}`
    expect((await postJson(body)).statusCode).toBe(200)
  })

  test.each([
    ['__proto__', `{"__proto__":{"sellerId":"X"},"restrictedResources":[${resource}]}`],
    ['a nested __proto__', `{"restrictedResources":[${resource}],"a":{"__proto__":null}}`],
  ])('with %s is 400', async (_what, body) => {
    expect(errorOf(await postJson(body))).toMatchObject({ status: 400, details: expect.stringContaining('__proto__') })
  })

  test('nested a hundred thousand levels deep is 400', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(errorOf(await postJson(`{"a":${deep}}`))).toMatchObject({
      status: 400,
      details: expect.stringContaining('deep'),
    })
  })

  test('of more members, objects and lists than any seller sends is 400 before it is parsed, which would take long', async () => {
    const withMembers = (count: number) =>
      `{"restrictedResources":[${resource}],"a":{${Array.from({ length: count }, (_, index) => `"k${index}":1`)}}}`
    expect((await postJson(withMembers(19_000))).statusCode).toBe(200)
    for (const body of [withMembers(20_000), `[${Array(20_000).fill('[]')}]`, `[${Array(20_000).fill('{}')}]`]) {
      expect(errorOf(await postJson(body))).toMatchObject({
        status: 400,
        details: expect.stringContaining('more than 20000 members'),
      })
    }
  })

  test('that ends in a string is 400', async () => {
    for (const body of ['{"a', '"', '{"a":"\\"']) expect(errorOf(await postJson(body)).status).toBe(400)
  })

  test('that is not UTF-8 is 400', async () => {
    expect(errorOf(await postJson(Buffer.from([0x22, 0xff, 0x22])))).toMatchObject({
      status: 400,
      details: expect.stringContaining('UTF-8'),
    })
  })

  test('may begin with a byte order mark', async () => {
    expect((await postJson(`\uFEFF{"restrictedResources":[${resource}]}`)).statusCode).toBe(200)
  })

  test('of 5 MB is 413', async () => {
    expect(errorOf(await postJson(JSON.stringify({ a: 'x'.repeat(5_000_000) })))).toMatchObject({
      status: 413,
      code: 'RequestTooLarge',
    })
  })

  test('of another content type is 415 and names the right one', async () => {
    const xml = await souk.post(RDT, { token, headers: { 'content-type': 'text/xml' }, payload: '<a/>' })
    expect(errorOf(xml)).toMatchObject({
      status: 415,
      code: 'UnsupportedMediaType',
      message: expect.stringContaining('application/json'),
    })
    const none = await souk.post(RDT, { token, headers: { 'content-type': '' }, payload: '{}' })
    expect(errorOf(none).status).toBe(415)
  })

  test('may contain unknown keys', async () => {
    const response = await postJson(`{"restrictedResources":[${resource}],"MarketplaceId":"X","path":"/y"}`)
    expect(response.statusCode).toBe(200)
  })

  test('of an operation without a body is ignored', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await souk.get('/probe/seller', { token, headers })).statusCode).toBe(200)
    expect((await souk.delete('/probe/thing', { token, headers })).json()).toEqual({})
    expect((await souk.delete('/probe/thing', { token, headers, payload: '{"broken' })).json()).toEqual({})
  })

  test('is not read at all for a caller without a token', async () => {
    const response = await souk.post(RDT, { headers: { 'content-type': 'application/json' }, payload: '{"a":' })
    expect(response.statusCode).toBe(403)
  })
})

describe('a request with a content type but without a body or a length', () => {
  const send = (line: string) =>
    exchange(
      `${line} HTTP/1.1\r\nhost: x\r\nx-amz-access-token: ${token}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n`,
    )

  test('is refused immediately if the operation requires a body', async () => {
    const answer = await send(`POST ${RDT}`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('The request body is missing.')
  })

  test('is accepted if the operation has no body', async () => {
    expect(await send('GET /sellers/v1/account')).toMatch(/^HTTP\/1.1 200 /)
    expect(await send('POST /nowhere')).toMatch(/^HTTP\/1.1 404 /)
    expect(await send('DELETE /sellers/v1/account')).toMatch(/^HTTP\/1.1 405 /)
  })
})

describe('a connection', () => {
  test('that does not speak HTTP gets a documented error', async () => {
    const answer = await exchange('NONSENSE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] as string).errors[0].code).toBe('InvalidInput')
    expect(answer).toMatch(/x-amzn-requestid: [0-9a-f-]{36}/)
  })

  test('with oversized headers gets a documented error', async () => {
    const answer = await exchange(`GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(50_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('RequestHeadersTooLarge')
  })

  test('whose headers never end gets an error and is closed', async () => {
    const answer = await exchange('GET / HTTP/1.1\r\nhost: x\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('RequestTimeout')
  })

  test('whose body never ends gets an error and is closed', async () => {
    const answer = await exchange(
      `POST ${RDT} HTTP/1.1\r\nhost: x\r\nx-amz-access-token: ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('RequestTimeout')
  })
})

describe('an internal error', () => {
  test('is a plain 500 without internal details', async () => {
    const response = await souk.get('/probe/broken')
    expect(errorOf(response)).toMatchObject({ status: 500, code: 'InternalFailure', details: '' })
    expect(response.body).not.toContain('secret detail')
    expect(response.body).not.toContain('.ts')
  })

  test('a connection reset by a dependency is 500, not 408', async () => {
    const response = await souk.get('/probe/reset')
    expect(errorOf(response)).toMatchObject({ status: 500, code: 'InternalFailure' })
  })
})

describe('the character NUL, which the databases cannot store,', () => {
  const page = Buffer.from(JSON.stringify(['A\0', 'B'])).toString('base64url')
  test.each([
    ['in a path', () => souk.get('/solicitations/v1/orders/%00?marketplaceIds=ATVPDKIKX0DER', { token })],
    ['in a query', () => souk.get('/solicitations/v1/orders/1?marketplaceIds=A%00B', { token })],
    ['in a JSON body', () => postJson('{"restrictedResources":[{"method":"GET","path":"/a\\u0000"}]}')],
    ['in a key of a JSON body', () => postJson(`{"restrictedResources":[${resource}],"a\\u0000":1}`)],
    ['in a page token', () => souk.get(`/operator/v1/orders?pageToken=${page}`, { headers: souk.operator })],
  ])('is refused %s', async (_where, send) => {
    expect(errorOf(await send())).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('is refused in a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await souk.post('/auth/o2/token', { headers, payload: 'grant_type=refresh_token&client_id=%00' })
    expect(response.statusCode).toBe(400)
    expect(response.json().error).toBe('invalid_request')
  })

  test('is distinguished from a backslash followed by text', async () => {
    expect((await postJson(`{"restrictedResources":[${resource}],"note":"\\\\u0000"}`)).statusCode).toBe(200)
  })
})
