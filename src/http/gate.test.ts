import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deferred } from '../../test/support/jobs.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import { Gate } from './gate.ts'
import type { FastifyApp } from './route.ts'

const CHUNK = Buffer.alloc(1 << 20)

/** A body that no send buffer holds. */
async function* endless() {
  for (;;) yield CHUNK
}

describe('exclusive work', () => {
  let app: FastifyApp
  let gate: Gate
  let port: number
  let began: PromiseWithResolvers<void>
  let mayBegin: PromiseWithResolvers<void>
  let mayEnd: PromiseWithResolvers<void>
  let order: string[]
  const runExclusive = () =>
    gate.runExclusive(async () => {
      order.push('exclusive')
    })

  beforeEach(async () => {
    began = deferred()
    mayBegin = deferred()
    mayEnd = deferred()
    order = []
    gate = new Gate({ slowClientMilliseconds: 50 })
    app = fastify({ http: { optimizeEmptyRequests: true } }).withTypeProvider()
    gate.routes(app)
    app.get('/work', async () => {
      began.resolve()
      await mayEnd.promise
      order.push('worked')
      return {}
    })
    app.get('/late', {
      preHandler: (_request, _reply, done) => {
        began.resolve()
        void mayBegin.promise.then(() => done())
      },
      handler: async () => {
        await mayEnd.promise
        order.push('worked')
        return {}
      },
    })
    app.get('/endless', async () => {
      began.resolve()
      return Readable.from(endless(), { objectMode: false })
    })
    app.post('/body', async () => {
      order.push('worked')
      return {}
    })
    app.put('/stream', {
      onRequest: async (request, reply) => {
        began.resolve()
        try {
          for await (const _ of request.raw);
        } finally {
          order.push('received')
        }
        return reply.send({})
      },
      handler: async () => ({}),
    })
    app.get('/probe', { config: { ungated: true } }, async () => ({}))
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  afterEach(async () => {
    mayEnd.resolve()
    app.server.closeAllConnections()
    await app.close()
  })

  function send(text: string): Socket {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(text)
    return socket
  }
  const drop = async (socket: Socket) => {
    socket.resetAndDestroy()
    await waitFor(
      () => new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count))),
      (count) => count === 0,
    )
  }
  const request = (path: string, headers = '') => `${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`

  test('waits for the handler of a request whose client is gone', async () => {
    const socket = send(request('GET /work'))
    await began.promise
    await drop(socket)
    const done = runExclusive()
    await new Promise(setImmediate)
    mayEnd.resolve()
    await done
    expect(order).toEqual(['worked', 'exclusive'])
  })

  test('waits for a handler that begins after its client has left and others came', async () => {
    const socket = send(request('GET /late'))
    await began.promise
    await drop(socket)
    await Promise.all(Array.from({ length: 100 }, () => app.inject({ method: 'POST', url: '/body' })))
    order = []
    mayBegin.resolve()
    await new Promise(setImmediate)
    const done = runExclusive()
    await new Promise(setImmediate)
    mayEnd.resolve()
    await done
    expect(order).toEqual(['worked', 'exclusive'])
  })

  test('does not wait for pipelined requests of a connection that was dropped', async () => {
    const socket = send(request('GET /endless') + request('GET /work')).pause()
    mayEnd.resolve()
    await waitFor(
      () => order,
      (done) => done.length === 1,
    )
    await drop(socket)
    await runExclusive()
    expect(order).toEqual(['worked', 'exclusive'])
  })

  test('cuts off a client that does not read its response', async () => {
    const socket = send(request('GET /endless')).pause()
    await began.promise
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await runExclusive()
    socket.resume()
    await closed
  })

  test.each(['POST /body', 'PUT /stream'])('cuts off a client that does not end the body of %s', async (path) => {
    const socket = send(`${request(path, 'content-type: application/json\r\ncontent-length: 9\r\n')}{`)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    if (path.startsWith('PUT')) await began.promise
    else await new Promise((resolve) => app.server.once('request', resolve))
    await runExclusive()
    await closed
    expect(order.at(-1)).toBe('exclusive')
  })

  test('lets probes pass, and other requests wait', async () => {
    const release = deferred()
    const running = deferred()
    const work = gate.runExclusive(async () => {
      running.resolve()
      await release.promise
    })
    await running.promise
    const waiting = app.inject({ method: 'POST', url: '/body' }).then(() => order.push('answered'))
    expect((await app.inject('/probe')).statusCode).toBe(200)
    expect(order).toEqual([])
    release.resolve()
    await work
    await waiting
  })
})
