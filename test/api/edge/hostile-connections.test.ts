import { once } from 'node:events'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFileDocuments } from '../../support/documents.ts'
import { exchange, openSocket, readToEnd } from '../../support/exchange.ts'
import { probeRoutes } from '../../support/probe-routes.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let token: string

beforeAll(async () => {
  souk = await startTestSouk({ extraRoutes: [probeRoutes] })
  token = await souk.tokenFor(souk.demo.refreshToken)
})

const RDT = '/tokens/2021-03-01/restrictedDataToken'
const CLOSE = 'connection: close\r\n'
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`
const post = (headers: string, body = '') =>
  `POST ${RDT} HTTP/1.1\r\nhost: x\r\nx-amz-access-token: ${token}\r\ncontent-type: application/json\r\n${headers}\r\n${body}`
const send = (bytes: string) => exchange(souk.url, bytes)
const statusesIn = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

describe('an unusual but unambiguous request', () => {
  test.each([
    ['of HTTP/1.0, without a host', () => 'GET /healthz HTTP/1.0\r\n\r\n'],
    ['that requests another protocol', () => get('/healthz', 'connection: upgrade, close\r\nupgrade: websocket\r\n')],
    ['with an unknown Expect header', () => get('/healthz', `expect: a miracle\r\n${CLOSE}`)],
    [
      'with 500 headers',
      () => get('/healthz', Array.from({ length: 500 }, (_, index) => `h${index}: 1\r\n`).join('') + CLOSE),
    ],
  ])('%s gets a response', async (_what, bytes) => {
    expect(statusesIn(await send(bytes()))).toContain(200)
  })

  test('whose client closes its half of the connection gets a response', async () => {
    const socket = openSocket(souk.url, { allowHalfOpen: true })
    const answer = readToEnd(socket)
    socket.end(get('/healthz'))
    socket.once('end', () => socket.destroy())
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  test('that is pipelined gets its response in order', async () => {
    const answers = await send(get('/readyz') + get('/nowhere', CLOSE))
    expect(statusesIn(answers)).toEqual([200, 404])
  })
})

describe('an ambiguous request is refused with a documented error:', () => {
  test.each([
    ['a length and chunks', () => post('content-length: 5\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
    ['two lengths', () => post('content-length: 2\r\ncontent-length: 3\r\n', '{} ')],
    ['an invalid length', () => post('content-length: -1\r\n')],
    ['a chunk with an invalid length', () => post('transfer-encoding: chunked\r\n', 'x\r\n')],
    ['an unknown coding', () => post('transfer-encoding: chunked, gzip\r\n', '0\r\n\r\n')],
    ['no host', () => 'GET /readyz HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['a host in the URL only', () => `GET ${souk.url}/readyz HTTP/1.1\r\nconnection: close\r\n\r\n`],
    ['a folded line', () => get('/healthz', 'a: b\r\n c\r\n').replace('\r\n c', '\n\0c')],
    ['excessive chunk extensions', () => post('transfer-encoding: chunked\r\n', `2;${'x'.repeat(50_000)}\r\n{}\r\n`)],
  ])('%s', async (_what, bytes) => {
    const answer = await send(bytes())
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answer).toContain('"code":"InvalidInput"')
    expect(answer).toMatch(/connection: close/i)
  })
})

describe('an oversized request is refused with a documented error:', () => {
  test.each([
    ['a URL of 100,000 characters', () => get(`/${'x'.repeat(100_000)}`)],
    ['10,000 headers', () => get('/', Array.from({ length: 10_000 }, (_, index) => `h${index}: 1\r\n`).join(''))],
  ])('%s', async (_what, bytes) => {
    const answer = await send(bytes())
    // A client that is still sending may find the connection closed before it reads the response.
    expect(['', '431']).toContain(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? '')
    expect((await fetch(`${souk.url}/healthz`)).status).toBe(200)
  })
})

test('garbage after a request does not affect its response and gets no response', async () => {
  const answer = await send(`${get('/readyz')}NONSENSE\r\n\r\n`)
  expect(statusesIn(answer)).toEqual([200])
  expect(answer).toMatch(/connection: close/i)
  expect(answer.endsWith('{"status":"ready"}')).toBe(true)
})

test('a body cut off by the client is refused with a documented error', async () => {
  const socket = openSocket(souk.url, { allowHalfOpen: true })
  const answer = readToEnd(socket)
  socket.end(post('content-length: 100\r\n', '{"a":'))
  socket.once('end', () => socket.destroy())
  expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(await answer).toMatch(/"code":"\w+"/)
})

test('a client that pipelines a thousand requests without reading responses is disconnected', async () => {
  const answers = await send(get('/readyz').repeat(1000))
  expect(statusesIn(answers).length).toBeLessThan(1000)
  expect((await fetch(`${souk.url}/healthz`)).status).toBe(200)
})

test('clients that reset their connections at any time do no harm', async () => {
  const requests = [
    '',
    'GET /',
    get('/readyz'),
    post('content-length: 100\r\n', '{"a":'),
    post('content-length: 2\r\n', '{}'),
  ]
  for (const bytes of requests) {
    const socket = openSocket(souk.url)
    socket.on('error', () => {})
    await once(socket, 'connect')
    if (bytes) await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
  expect((await fetch(`${souk.url}/healthz`)).status).toBe(200)
})

test('a stop does not wait for clients that connected and sent nothing', async () => {
  const service = await startFileDocuments()
  const socket = openSocket(service.url)
  const closed = readToEnd(socket)
  await once(socket, 'connect')
  // The service has accepted the connection before this one.
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await service.stop()
  expect(await closed).toBe('')
})

test('CONNECT closes the connection without a response where there is no stand-in: the service is no proxy', async () => {
  const service = await startFileDocuments()
  onTestFinished(() => service.stop())
  const host = 'sellingpartnerapi-na.amazon.com:443'
  expect(await exchange(service.url, `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toBe('')
})
