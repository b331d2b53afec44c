import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import type { Logger } from '../platform/logging/logger.ts'
import type { BuiltApp } from './app.ts'
import { Connections } from './connections.ts'
import { Edge } from './edge.ts'
import { defaultTimeouts } from './timeouts.ts'

const address = { host: '127.0.0.1', port: 0 }
const error = vi.fn()
const logger = { error } as unknown as Logger

async function buildApp(): Promise<BuiltApp> {
  const app = fastify({ return503OnClosing: false })
  const connections = new Connections(defaultTimeouts)
  connections.watch(app.server)
  app.addHook('onRequest', async (request, reply) => connections.begin(request.raw, reply.raw))
  app.get('/hello', async () => 'hello')
  return {
    app: app as unknown as BuiltApp['app'],
    drain: () => connections.drain(),
    async close() {
      connections.drain()
      await connections.finish(app.close())
    },
  }
}

const openLazy = (build: () => Promise<BuiltApp>) => Edge.open(build, { isLazy: true, logger })
const get = async (url: string) => (await fetch(`${url}/hello`, { headers: { connection: 'close' } })).text()

describe('a lazy edge', () => {
  test('opens its port at once, and builds its app once, for the first connections', async () => {
    const build = vi.fn(buildApp)
    const edge = await openLazy(build)
    const url = await edge.listen(address)
    expect(build).not.toHaveBeenCalled()
    expect(await Promise.all([get(url), get(url), get(url)])).toEqual(['hello', 'hello', 'hello'])
    expect(await get(url)).toBe('hello')
    expect(build).toHaveBeenCalledTimes(1)
    await edge.close()
    await expect(get(url)).rejects.toThrow('fetch failed')
  })

  test('serves what a client has sent before the app was there', async () => {
    const { promise: mayBuild, resolve: begin } = Promise.withResolvers<void>()
    const edge = await openLazy(() => mayBuild.then(buildApp))
    const { port, hostname: host } = new URL(await edge.listen(address))
    const client = connect(Number(port), host)
    client.end('GET /hello HTTP/1.1\r\nHost: souk\r\nConnection: close\r\n\r\n')
    await once(client, 'finish')
    begin()
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nhello$/s)
    await edge.close()
  })

  test('serves requests without a socket before and after it listens', async () => {
    const edge = await openLazy(buildApp)
    const inject = async () => (await edge.inject({ url: '/hello' })).body
    expect(await inject()).toBe('hello')
    const url = await edge.listen(address)
    expect([await inject(), await get(url)]).toEqual(['hello', 'hello'])
    await edge.close()
  })

  test('that never had a request closes without building its app', async () => {
    const build = vi.fn(buildApp)
    const edge = await openLazy(build)
    const url = await edge.listen(address)
    await edge.close()
    expect(build).not.toHaveBeenCalled()
    await expect(get(url)).rejects.toThrow('fetch failed')
  })

  test('closes after the app that is being built, and its port accepts nothing more', async () => {
    const { promise: mayBuild, resolve: begin } = Promise.withResolvers<void>()
    const build = vi.fn(() => mayBuild.then(buildApp))
    const edge = await openLazy(build)
    const url = await edge.listen(address)
    const response = get(url)
    await vi.waitFor(() => expect(build).toHaveBeenCalled())
    const closed = edge.close()
    await expect(get(url)).rejects.toThrow('fetch failed')
    begin()
    expect(await response).toBe('hello')
    await closed
  })

  test('closes the connections and logs why if its app cannot be built', async () => {
    const edge = await openLazy(() => Promise.reject(new Error('no routes')))
    await expect(get(await edge.listen(address))).rejects.toThrow('fetch failed')
    expect(error).toHaveBeenCalledWith({ err: new Error('no routes') }, 'the routes cannot be built')
    await edge.close()
  })
})

test('an edge that is not lazy builds its app before it is open', async () => {
  const build = vi.fn(buildApp)
  const edge = await Edge.open(build, { isLazy: false, logger })
  expect(build).toHaveBeenCalledTimes(1)
  expect(await get(await edge.listen(address))).toBe('hello')
  await edge.close()
})
