import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type StandIn, type StandInOptions, startStandIn } from '../../src/stand-in/stand-in.ts'
import { exchange, openSocket, readToEnd } from '../support/exchange.ts'
import { connectThrough, openTunnel } from '../support/tls.ts'
import { waitFor } from '../support/wait-for.ts'

const API_HOST = 'sellingpartnerapi-eu.amazon.com'

async function start(options: StandInOptions = {}): Promise<StandIn> {
  const souk = await startStandIn({ demo: false, ...options })
  onTestFinished(() => souk.stop())
  return souk
}

/** A server that accepts connections, says nothing and, on request, never ends one. */
async function startSilentServer({ allowHalfOpen }: { allowHalfOpen: boolean }) {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket)).resume()
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as { port: number }).port, sockets }
}

async function expectHealthy(souk: StandIn): Promise<void> {
  expect(await souk.inject({ url: '/healthz' })).toMatchObject({ statusCode: 200 })
}

let shared: StandIn

beforeAll(async () => {
  shared = await startStandIn({ demo: false })
  return () => shared.stop()
})

test.each([
  ['garbage', '\x00\x01\xff'.repeat(10_000)],
  ['plain HTTP', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['another CONNECT', `CONNECT ${API_HOST}:443 HTTP/1.1\r\n\r\n`],
  ['a broken handshake', `\x16\x03\x01\x00\x05${'\x01'.repeat(100)}`],
])('a tunnel with %s instead of a TLS handshake is closed', async (_what, bytes) => {
  const { socket, head } = await openTunnel(shared.url, `${API_HOST}:443`)
  expect(head).toMatch(/^HTTP\/1\.1 200 /)
  const closed = readToEnd(socket)
  socket.write(bytes, 'latin1')
  await closed
  await expectHealthy(shared)
})

test.each(['HTTP/1.1 099 Odd', 'HTTP/1.1 000 Odd', 'HTTP/1.1 200 O\x01K'])(
  'a forwarded response that begins with %j does no harm',
  async (statusLine) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(`${statusLine}\r\ncontent-length: 2\r\n\r\nok`)
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const souk = await start({ proxyThrough: [`127.0.0.1:${port}`] })
    const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`
    expect(await exchange(souk.url, request)).toMatch(/^HTTP\/1\.1 (200|503) /)
    await expectHealthy(souk)
  },
)

test('tunnels without a handshake are closed in time, and a stop does not wait for them', async () => {
  const souk = await start({ timeouts: { headersMilliseconds: 300 } })
  const { socket } = await openTunnel(souk.url, `${API_HOST}:443`)
  await readToEnd(socket)
  const open = await Promise.all(Array.from({ length: 50 }, () => openTunnel(souk.url, `${API_HOST}:443`)))
  const closed = open.map(({ socket }) => readToEnd(socket))
  await souk.stop()
  await Promise.all(closed)
})

test('a client that leaves at any moment does no harm', async () => {
  for (const leave of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    const early = openSocket(shared.url)
    early.on('error', () => {})
    early.write(`CONNECT ${API_HOST}:443 HTTP/1.1\r\n\r\n\x16\x03\x01`, 'latin1', () => leave(early))
    const { socket: half } = await openTunnel(shared.url, `${API_HOST}:443`)
    leave(half)
    const secure = await connectThrough(shared.url, API_HOST, (await shared.localAuthority()).certificate)
    secure.on('error', () => {})
    await once(secure, 'secureConnect')
    secure.write(`POST /auth/o2/token HTTP/1.1\r\nhost: ${API_HOST}\r\ncontent-length: 100\r\n\r\n`)
    secure.destroy()
  }
  await expectHealthy(shared)
})

test('a handshake that arrives together with CONNECT is served', async () => {
  const socket = openSocket(shared.url)
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', (data) => {
    received += data
  })
  socket.write(Buffer.concat([Buffer.from(`CONNECT ${API_HOST}:443 HTTP/1.1\r\n\r\n`), await captureClientHello()]))
  // The first byte of a TLS handshake follows.
  await waitFor(
    () => received,
    (text) => text.startsWith('HTTP/1.1 200 Connection established\r\n\r\n\x16\x03'),
  )
})

test('CONNECT with too many headers is refused like any request', async () => {
  const flood = Array.from({ length: 2000 }, (_, index) => `x-header-${index}: ${'y'.repeat(20)}\r\n`).join('')
  expect(await exchange(shared.url, `CONNECT ${API_HOST}:443 HTTP/1.1\r\n${flood}\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  await expectHealthy(shared)
})

test('CONNECT behind a running request ends the connection at most', async () => {
  const souk = await start({ timeouts: { headersMilliseconds: 300 } })
  const answer = exchange(
    souk.url,
    `GET /docs/try/json HTTP/1.1\r\nhost: x\r\n\r\nCONNECT ${API_HOST}:443 HTTP/1.1\r\n\r\n\xff\xff`,
    (socket) => socket.end(),
  )
  await answer
  await expectHealthy(souk)
})

test('a tunnel to another host ends on both sides when one side leaves', async () => {
  const { port, sockets } = await startSilentServer({ allowHalfOpen: false })
  const souk = await start({ proxyThrough: [`127.0.0.1:${port}`] })
  const { socket: client } = await openTunnel(souk.url, `127.0.0.1:${port}`)
  expect(sockets.size).toBe(1)
  client.destroy()
  await waitFor(
    () => sockets.size,
    (size) => size === 0,
  )
  const { socket: left } = await openTunnel(souk.url, `127.0.0.1:${port}`)
  const closed = readToEnd(left)
  for (const socket of sockets) socket.destroy()
  await closed
})

test('there are at most 256 tunnels to other hosts, half-open ones are closed in time, and a stop closes all', async () => {
  const { port, sockets } = await startSilentServer({ allowHalfOpen: true })
  const souk = await start({ proxyThrough: [`127.0.0.1:${port}`], timeouts: { lingerMilliseconds: 100 } })
  const open = () => openTunnel(souk.url, `127.0.0.1:${port}`)
  const tunnels = await Promise.all(Array.from({ length: 256 }, open))
  expect(tunnels.filter(({ head }) => head.startsWith('HTTP/1.1 200 '))).toHaveLength(256)
  expect((await open()).head).toMatch(/^HTTP\/1\.1 503 The proxy of souk dev has 256 connections to other hosts/)
  const plain = await exchange(
    souk.url,
    `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  )
  expect(plain).toMatch(/^HTTP\/1\.1 503 /)
  tunnels[0]?.socket.end()
  await waitFor(open, ({ head }) => head.startsWith('HTTP/1.1 200 '))
  await souk.stop()
  await waitFor(
    () => [...sockets].filter(({ readableEnded }) => !readableEnded).length,
    (open) => open === 0,
  )
})

/** The first bytes of a TLS client. */
async function captureClientHello(): Promise<Buffer> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect({ port: (server.address() as { port: number }).port, servername: API_HOST })
  client.on('error', () => {})
  const [socket] = await once(server, 'connection')
  const [hello] = await once(socket, 'data')
  socket.destroy()
  server.close()
  return hello
}
