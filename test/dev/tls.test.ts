import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { connect, createServer } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openAuthority } from '../../src/platform/certificates/certificate-authority.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../../src/stand-in/stand-in.ts'
import { openSocket, readToEnd } from '../support/exchange.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { temporaryFolder } from '../support/souk-process.ts'
import { requestSecurely } from '../support/tls.ts'

const API_HOST = 'sellingpartnerapi-na.amazon.com'
const CLOCK_BODY = JSON.stringify({ advanceSeconds: 60 })

async function startWithTls(options: StandInOptions = {}): Promise<{ souk: StandIn; tlsUrl: string; ca: string }> {
  const souk = await startStandIn({ tls: true, demo: false, ...options })
  onTestFinished(() => souk.stop())
  return { souk, tlsUrl: souk.tlsUrl as string, ca: (await souk.localAuthority()).certificate }
}

describe('the TLS port', () => {
  let souk: TestSouk
  let tlsUrl: string
  let ca: string

  beforeAll(async () => {
    souk = await startTestSouk({ tls: true })
    tlsUrl = souk.tlsUrl as string
    ca = (await souk.localAuthority()).certificate
  })

  test.each([
    'localhost',
    '127.0.0.1',
    API_HOST,
    'sandbox.sellingpartnerapi-fe.amazon.com',
    'api.amazon.com',
    'souk-documents.s3.us-east-1.amazonaws.com',
    'a.bucket.with.dots.s3.amazonaws.com',
    's3.mx-central-9.amazonaws.com',
  ])('has a valid certificate for %s, and serves the API there', async (host) => {
    const response = await requestSecurely(`${tlsUrl}/healthz`, { host: host === '127.0.0.1' ? '' : host, ca })
    expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  })

  test('serves a seller from the token to a written listing, as the port without TLS does', async () => {
    const { clientId, clientSecret, refreshToken, sellerId, marketplaceId, skus } = souk.demo
    const token = await requestSecurely(`${tlsUrl}/auth/o2/token`, {
      host: 'api.amazon.com',
      ca,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    })
    const path = `/listings/2021-08-01/items/${sellerId}/${skus[0]}?marketplaceIds=${marketplaceId}`
    const listing = await requestSecurely(tlsUrl + path, {
      host: API_HOST,
      ca,
      headers: { 'x-amz-access-token': JSON.parse(token.body).access_token },
    })
    expect(listing).toMatchObject({ status: 200, body: expect.stringContaining(`"sku":"${skus[0]}"`) })
  })

  test('leads queue hosts to the local queue, which returns https:// URLs of queues', async () => {
    const call = (operation: string, input: object) =>
      requestSecurely(`${tlsUrl}/`, {
        host: 'sqs.eu-west-1.amazonaws.com',
        ca,
        method: 'POST',
        headers: {
          'x-amz-target': `AmazonSQS.${operation}`,
          'content-type': 'application/x-amz-json-1.0',
          authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/sqs/aws4_request',
        },
        body: JSON.stringify(input),
      })
    const { body } = await call('CreateQueue', { QueueName: 'secure' })
    const { QueueUrl } = JSON.parse(body)
    expect(QueueUrl).toBe('https://sqs.eu-west-1.amazonaws.com/000000000000/secure')
    const text = 'see "http://sqs.eu-west-1.amazonaws.com/x"'
    await call('SendMessage', { QueueUrl, MessageBody: text })
    const received = await call('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 5 })
    expect(JSON.parse(received.body).Messages[0].Body).toBe(text)
  })

  test('shows a client that asks for another host a certificate that does not match', async () => {
    await expect(requestSecurely(`${tlsUrl}/healthz`, { host: 'example.com', ca })).rejects.toThrow(
      /Hostname\/IP does not match certificate's altnames: Host: example\.com/,
    )
  })

  test.each([
    ['api.amazon.com.', 'DNS:api.amazon.com,'],
    ['api.amazon.com:443', 'DNS:localhost,'],
  ])('has a certificate with proper names for a client that asks for %s', async (servername, name) => {
    const port = Number(new URL(tlsUrl).port)
    const socket = connect({ host: '127.0.0.1', port, servername, ca, checkServerIdentity: () => undefined })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    expect(socket.getPeerCertificate().subjectaltname).toMatch(new RegExp(`^${name.replaceAll('.', '\\.')}`))
  })

  test('is refused by a client that does not trust the local authority', async () => {
    const { certificate } = openAuthority(temporaryFolder(), () => {})
    await expect(requestSecurely(`${tlsUrl}/healthz`, { host: API_HOST, ca: certificate })).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    })
  })

  test.each([
    ['plain HTTP', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['garbage', '\x00\xff'.repeat(5000)],
    ['an incomplete handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ])('closes a connection with %s, and goes on serving', async (_what, bytes) => {
    const socket = openSocket(tlsUrl)
    const closed = readToEnd(socket)
    socket.end(bytes, 'latin1')
    await closed
    expect(await requestSecurely(`${tlsUrl}/healthz`, { host: API_HOST, ca })).toMatchObject({ status: 200 })
  })

  test('offers HTTP/1.1 to clients that prefer HTTP/2', async () => {
    const { port } = new URL(tlsUrl)
    const socket = connect({ port: Number(port), servername: 'localhost', ca, ALPNProtocols: ['h2', 'http/1.1'] })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    expect([socket.alpnProtocol, socket.authorized]).toEqual(['http/1.1', true])
  })
})

test("the local authority cannot vouch for hosts that are not the vendor's", async () => {
  const authority = openAuthority(temporaryFolder(), () => {})
  const server = createServer(authority.issue(['bank.example', 'www.amazon.com']))
  onTestFinished(() => void server.close())
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const url = `https://127.0.0.1:${port}/`
  await expect(requestSecurely(url, { host: 'bank.example', ca: authority.certificate })).rejects.toThrow(
    'permitted subtree violation',
  )
})

test('a body that stalls gets 408 over TLS too', async () => {
  const { tlsUrl, ca } = await startWithTls({ timeouts: { idleMilliseconds: 200 } })
  const { port } = new URL(tlsUrl)
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername: API_HOST, ca })
  const answer = readToEnd(socket)
  socket.write(`POST /auth/o2/token HTTP/1.1\r\nhost: ${API_HOST}\r\ncontent-type: application/json\r\n`)
  socket.write('content-length: 1000\r\n\r\nhalf')
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
})

test.each([
  ['says nothing', ''],
  // The header of a handshake of 512 bytes, which never ends.
  ['sends a handshake byte by byte', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
])('a client that %s is cut off', async (_what, start) => {
  const { tlsUrl } = await startWithTls({ timeouts: { headersMilliseconds: 400 } })
  const socket = openSocket(tlsUrl)
  const closed = readToEnd(socket)
  let sent = 0
  const drip = setInterval(() => start && socket.write(start[sent++] ?? 'x', 'latin1'), 50)
  onTestFinished(() => clearInterval(drip))
  expect(await closed).toBe('')
  expect(sent).toBeLessThan(200)
})

/** A request whose headers have arrived and whose body has not. */
async function beginRequest({ port, ca }: { port: number; ca: string }) {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca })
  const answer = readToEnd(socket)
  socket.write('POST /_souk/clock HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n')
  socket.write(`content-type: application/json\r\ncontent-length: ${CLOCK_BODY.length}\r\n\r\n`)
  await once(socket, 'data')
  return { socket, answer }
}

test('a stop closes connections without a request, and waits for requests', async () => {
  const { souk, tlsUrl, ca } = await startWithTls({ timeouts: { headersMilliseconds: 60_000 } })
  const port = Number(new URL(tlsUrl).port)
  const handshaking = openSocket(tlsUrl)
  await once(handshaking, 'connect')
  const unused = connect({ host: '127.0.0.1', port, servername: API_HOST, ca })
  await once(unused, 'secureConnect')
  const idle = connect({ host: '127.0.0.1', port, servername: API_HOST, ca })
  idle.write(`GET /healthz HTTP/1.1\r\nhost: ${API_HOST}\r\n\r\n`)
  await once(idle, 'data')
  const busy = await beginRequest({ port, ca })
  const closed = [handshaking, unused, idle].map(readToEnd)
  const stopped = souk.stop()
  await Promise.all(closed)
  busy.socket.write(CLOCK_BODY)
  // It writes to the database, which closes after the last request.
  expect(await busy.answer).toMatch(/HTTP\/1\.1 200 [\s\S]*"offsetSeconds":60/)
  await stopped
  const late = connectTcp({ host: '127.0.0.1', port })
  const [error] = await once(late, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})

test('a stop cuts off requests over TLS that do not end in time', async () => {
  const { souk, tlsUrl, ca } = await startWithTls({ timeouts: { finishMilliseconds: 100 } })
  const { answer } = await beginRequest({ port: Number(new URL(tlsUrl).port), ca })
  await souk.stop()
  expect(await answer).toBe('HTTP/1.1 100 Continue\r\n\r\n')
})

test('an authority in a temporary folder ends with the stand-in', async () => {
  const { souk } = await startWithTls()
  const { file } = await souk.localAuthority()
  expect((await souk.inject({ url: '/_souk/ca.pem' })).body).toMatch(/^-----BEGIN CERTIFICATE-----\n/)
  await souk.stop()
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
})
