import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Address, HttpPoster } from './http-poster.ts'

describe('a POST request', () => {
  let server: Server
  let address: Address
  let poster: HttpPoster
  let connections = 0
  let respond: (response: ServerResponse, body: string) => void

  beforeEach(async () => {
    connections = 0
    respond = (response, body) => response.writeHead(202, { date: 'today' }).end(`got ${body}`)
    server = createServer(async (request, response) => respond(response, await text(request)))
    server.on('connection', () => connections++)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    address = { protocol: 'http:', hostname: '127.0.0.1', port: (server.address() as AddressInfo).port, path: '/' }
    poster = new HttpPoster({ connectMilliseconds: 50, maxConnections: 2 })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    poster.close()
    server.closeAllConnections()
    server.close()
  })

  const post = (body: string, signal = new AbortController().signal) =>
    poster.post(address, { 'content-length': String(Buffer.byteLength(body)) }, Buffer.from(body), signal)

  test('returns the response, and the next one uses the same connection', async () => {
    for (const body of ['one', 'two']) {
      const posted = await post(body)
      expect(posted).toMatchObject({ statusCode: 202, headers: { date: 'today' } })
      expect(posted.body.toString()).toBe(`got ${body}`)
    }
    expect(connections).toBe(1)
  })

  test('waits for a connection if all are in use', async () => {
    const posted = await Promise.all(['a', 'b', 'c', 'd'].map((body) => post(body)))
    expect(posted.map(({ body }) => body.toString())).toEqual(['got a', 'got b', 'got c', 'got d'])
    expect(connections).toBe(2)
  })

  test('ends with the reason of its signal, before and during the response', async () => {
    const stop = new AbortController()
    respond = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('some')
      stop.abort(new Error('late'))
    }
    await expect(post('x', stop.signal)).rejects.toThrow('late')
    await expect(post('x', stop.signal)).rejects.toThrow('late')
  })

  test('fails if the connection ends before the response', async () => {
    respond = (response) => response.writeHead(200, { 'content-length': '100' }).write('some', () => response.destroy())
    await expect(post('x')).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('uses another connection if the server has closed the one that was kept', async () => {
    const kept: Socket[] = []
    server.on('connection', (socket) => kept.push(socket))
    await Promise.all(['a', 'b'].map((body) => post(body)))
    // The first request of a connection is read, and the second one is met by a reset.
    for (const socket of kept) socket.removeAllListeners('data').on('data', () => socket.resetAndDestroy())
    expect((await post('c')).body.toString()).toBe('got c')
    expect(connections).toBe(3)
  })

  test('fails if the server closes every connection', async () => {
    await post('a')
    respond = (response) => response.socket?.resetAndDestroy()
    await expect(post('b')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(connections).toBe(2)
  })

  test('ends with the reason of its signal while it waits for a connection', async () => {
    const stop = new AbortController()
    respond = () => {}
    const inUse = ['a', 'b'].map((body) => post(body, stop.signal).catch(() => {}))
    const waiting = post('c', AbortSignal.timeout(1))
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
    stop.abort()
    await Promise.all(inUse)
  })

  test('fails if the server switches to another protocol', async () => {
    respond = (response) => {
      const { socket } = response
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
    }
    await expect(post('x')).rejects.toThrow('another protocol')
  })

  test('fails if the response does not end', async () => {
    const more = Buffer.alloc(64 * 1024)
    respond = (response) => {
      const send = () => response.write(more, (error) => error || send())
      send()
    }
    await expect(post('x')).rejects.toThrow('more than')
  })

  test('fails if no connection is established in time', async () => {
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return Object.assign(this, { connecting: true })
    })
    await expect(post('x')).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
