import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type StandIn, type StandInOptions, startStandIn } from '../../src/stand-in/stand-in.ts'
import { exchange, openSocket, readToEnd } from '../support/exchange.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { connectThrough, openTunnel } from '../support/tls.ts'

const API_HOST = 'sellingpartnerapi-eu.amazon.com'

/** A server of another party on this machine. */
async function startOtherServer() {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    response.writeHead(201, { 'x-other': 'yes', connection: 'close' })
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

async function startPassThrough(proxyThrough: StandInOptions['proxyThrough'], options: StandInOptions = {}) {
  const souk = await startStandIn({ demo: false, proxyThrough, ...options })
  onTestFinished(() => souk.stop())
  return souk
}

describe('the proxy on the port of the API', () => {
  let souk: TestSouk
  let ca: string

  beforeAll(async () => {
    souk = await startTestSouk()
    ca = (await souk.localAuthority()).certificate
  })

  test.each([API_HOST, 'api.amazon.co.jp', 'my.bucket.s3-eu-west-1.amazonaws.com'])(
    'answers CONNECT for %s itself, with a certificate of the local authority',
    async (host) => {
      const socket = await connectThrough(souk.url, host, ca)
      const answer = readToEnd(socket)
      socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"ok"\}$/)
      expect(socket.authorized).toBe(true)
    },
  )

  test('leads queue hosts to the local queue', async () => {
    const socket = await connectThrough(souk.url, 'sqs.us-west-2.amazonaws.com', ca)
    const answer = readToEnd(socket)
    socket.write('GET /reports/2021-06-30/reports HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(await answer).toContain(`This is the local queue. The Selling Partner API is at ${souk.url}.`)
  })

  test.each([
    ['example.com:443', 403, 'Only hosts of the Selling Partner API are served. Use --proxy-through for other hosts.'],
    ['127.0.0.1:443', 403, 'Use --proxy-through'],
    ['[::1]:443', 403, 'refuses [::1]:443'],
    [`${API_HOST}:80`, 403, `${API_HOST} is served on port 443 only`],
    [`${API_HOST}:22`, 403, `${API_HOST} is served on port 443 only`],
    [`${API_HOST}.evil.example:443`, 403, 'refuses'],
    ['example.com', 400, 'CONNECT takes a host and a port'],
    ['example.com:0', 400, 'CONNECT takes a host and a port'],
    ['example.com:65536', 400, 'CONNECT takes a host and a port'],
    ['user@example.com:443', 400, 'CONNECT takes a host and a port'],
    ['/healthz', 400, 'CONNECT takes a host and a port'],
  ])('refuses CONNECT %s with status %i and the reason in the status line', async (authority, status, reason) => {
    const { socket, head } = await openTunnel(souk.url, authority)
    socket.destroy()
    expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head.split('\r\n')[0]).toContain(reason)
  })

  test('serves an https:// URL that a client such as axios sends without CONNECT', async () => {
    const answer = await exchange(
      souk.url,
      `GET https://${API_HOST}/healthz?a=1 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  test('takes the host of a URL, not that of the header', async () => {
    const answer = await exchange(
      souk.url,
      'GET https://my-bucket.s3.amazonaws.com/key HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n',
    )
    expect(answer).toContain('<Code>NoSuchBucket</Code>')
  })

  test('serves its own URL, and refuses that of another host', async () => {
    const get = (url: string) => exchange(souk.url, `GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    const { port } = new URL(souk.url)
    expect(await get(`http://localhost:${port}/healthz`)).toMatch(/^HTTP\/1\.1 200 /)
    const refused = await get('http://example.com/healthz')
    expect(refused).toMatch(/^HTTP\/1\.1 403 /)
    expect(refused).toContain('Use --proxy-through for other hosts.')
    expect(await get('http://127.0.0.1:1/healthz')).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('sends a plain request to a queue host to the local queue', async () => {
    const answer = await exchange(
      souk.url,
      'POST http://sqs.us-east-1.amazonaws.com/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-amz-json-1.0\r\n' +
        'x-amz-target: AmazonSQS.ListQueues\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('with --proxy-through', () => {
  test('a listed host is reached by CONNECT, private address or not', async () => {
    const port = await startOtherServer()
    const souk = await startPassThrough([`127.0.0.1:${port}`])
    const { socket, head } = await openTunnel(souk.url, `127.0.0.1:${port}`)
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    const answer = readToEnd(socket)
    socket.write('POST /path?q=1 HTTP/1.1\r\nhost: other\r\ncontent-length: 4\r\n\r\nbody')
    expect(await answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*"url":"\/path\?q=1"[\s\S]*"body":"body"/)
  })

  test('a listed host is reached by its http:// URL, without the headers that are for the proxy', async () => {
    const port = await startOtherServer()
    const souk = await startPassThrough([`127.0.0.1:${port}`])
    const answer = await exchange(
      souk.url,
      `PUT http://127.0.0.1:${port}/path?q=1 HTTP/1.1\r\nhost: x\r\nproxy-authorization: Basic c2VjcmV0\r\nx-keep: 1\r\n` +
        'x-hop: 1\r\nconnection: x-hop, close\r\ncontent-length: 4\r\n\r\nbody',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*x-other: yes/)
    const { headers, ...seen } = JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? '')
    expect(seen).toEqual({ method: 'PUT', url: '/path?q=1', body: 'body' })
    expect(headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-keep': '1' })
    expect(Object.keys(headers)).not.toContain('x-hop')
    expect(JSON.stringify(headers)).not.toContain('c2VjcmV0')
    const get = `GET http://127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
    expect(await exchange(souk.url, get)).toMatch(/^HTTP\/1\.1 201 [\s\S]*"method":"GET","url":"\/"/)
  })

  test.each([
    ['of unknown length', 'transfer-encoding: chunked\r\nconnection: close', '4\r\nGET \r\n0\r\n\r\n'],
    [
      'whose length is listed as a header for the proxy',
      'content-length: 4\r\nconnection: content-length, close',
      'GET ',
    ],
  ])('the body of a DELETE %s stays a body', async (_what, headers, body) => {
    const port = await startOtherServer()
    const souk = await startPassThrough([`127.0.0.1:${port}`])
    const url = `http://127.0.0.1:${port}/path`
    const answer = await exchange(souk.url, `DELETE ${url} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*"method":"DELETE"[\s\S]*"body":"GET "/)
  })

  test('a request that is slower than Souk itself accepts is not cut off, and a reset does not wait for it', async () => {
    const port = await startOtherServer()
    const souk = await startPassThrough([`127.0.0.1:${port}`], { timeouts: { idleMilliseconds: 100 } })
    const begin = (url: string) => {
      const socket = openSocket(souk.url)
      socket.write(`POST ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`)
      socket.write('content-type: application/json\r\ncontent-length: 4\r\n\r\nha')
      return { socket, answer: readToEnd(socket) }
    }
    const forwarded = begin(`http://127.0.0.1:${port}/`)
    expect(await begin('/auth/o2/token').answer).toMatch(/^HTTP\/1\.1 408 /)
    await souk.reset()
    forwarded.socket.write('lf')
    expect(await forwarded.answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*"body":"half"/)
  })

  test('a host that is not listed is refused, and one that does not respond is reported', async () => {
    const souk = await startPassThrough(['*.example.com', '127.0.0.1:1'])
    const refused = await openTunnel(souk.url, 'example.org:443')
    expect(refused.head).toMatch(/^HTTP\/1\.1 403 .*not listed in --proxy-through/)
    const failed = await openTunnel(souk.url, '127.0.0.1:1')
    expect(failed.head).toMatch(/^HTTP\/1\.1 503 .*cannot connect to 127\.0\.0\.1:1\. ECONNREFUSED/)
    const plain = await exchange(souk.url, 'GET http://127.0.0.1:1/ HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(plain).toMatch(/^HTTP\/1\.1 503 [\s\S]*ECONNREFUSED/)
  })

  test('a stand-in that other machines can reach needs a list', async () => {
    await expect(startStandIn({ host: '0.0.0.0', proxyThrough: true })).rejects.toThrow(
      'On 0.0.0.0, other machines could use the proxy for any host: list the hosts in --proxy-through',
    )
  })
})

test('localhost is 127.0.0.1, also if it has other addresses: only one of them would have the proxy', async () => {
  const lookup = vi.spyOn(dns, 'lookup')
  onTestFinished(() => lookup.mockRestore())
  const souk = await startPassThrough(false, { host: 'localhost' })
  expect(new URL(souk.url).hostname).toBe('127.0.0.1')
  // The framework looks for addresses to listen on, too.
  expect(lookup.mock.calls.map(([name]) => name)).not.toContain('localhost')
})

test('a tunnel whose client asks for another host by TLS shows the certificate of that host', async () => {
  const souk = await startPassThrough(false)
  const { certificate: ca } = await souk.localAuthority()
  const { socket: tunnel } = await openTunnel(souk.url, `${API_HOST}:443`)
  const socket = connect({ socket: tunnel, servername: 'api.amazon.com', ca })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  expect(socket.getPeerCertificate().subjectaltname).toContain('DNS:api.amazon.com')
})

describe('with --proxy-through and no list', () => {
  let souk: StandIn

  beforeAll(async () => {
    souk = await startStandIn({ demo: false, proxyThrough: true })
    return () => souk.stop()
  })

  test.each([
    ['127.0.0.1:443', 'It has a private address, so it must be listed: --proxy-through 127.0.0.1'],
    ['[::ffff:10.0.0.1]:443', 'It has a private address'],
    ['169.254.169.254:80', 'It has a private address'],
    ['localhost:443', 'It has a private address'],
    ['example.com:22', 'Port 22 must be listed: --proxy-through example.com:22'],
    [`${API_HOST}:8443`, 'is served on port 443 only, and never by the live service'],
  ])('CONNECT %s is refused', async (authority, reason) => {
    const { socket, head } = await openTunnel(souk.url, authority)
    socket.destroy()
    expect(head).toMatch(/^HTTP\/1\.1 403 /)
    expect(head).toContain(reason)
  })

  test('the hosts of the vendor still lead to Souk', async () => {
    const socket = await connectThrough(souk.url, API_HOST, (await souk.localAuthority()).certificate)
    const answer = readToEnd(socket)
    socket.write(`GET /healthz HTTP/1.1\r\nhost: ${API_HOST}\r\nconnection: close\r\n\r\n`)
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})
