import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../platform/clock/manual-clock.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { SequentialIds } from '../platform/ids/sequential-ids.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import { createEdge, type Edge, type EdgeOptions } from './edge.ts'
import type { Routes } from './route.ts'

const address = { host: '127.0.0.1', port: 0 }
const edges: Edge[] = []
let frameworksBuilt = 0
const countFramework = () => frameworksBuilt++

beforeEach(() => {
  frameworksBuilt = 0
  subscribe('fastify.initialization', countFramework)
})
afterEach(async () => {
  unsubscribe('fastify.initialization', countFramework)
  await Promise.all(edges.splice(0).map((edge) => edge.close()))
})

async function open(routes: Routes, options: Partial<EdgeOptions> = {}): Promise<Edge> {
  const clock = new ManualClock('2026-06-01T12:00:00.000Z')
  const edge = await createEdge({
    clock,
    ids: new SequentialIds(),
    logger: silentLogger(),
    throttle: new MemoryThrottle(clock),
    rates: 'off',
    authentication: {
      verifyToken: () => {
        throw new ApiError('Unauthorized', 'There are no tokens.')
      },
      operatorKeyDigests: [],
    },
    checkDatabase: async () => {},
    routes: [routes],
    ...options,
  })
  edges.push(edge)
  return edge
}

function silentLogger(onError: (line: unknown) => void = () => {}): Logger {
  const ignore = () => {}
  return { info: ignore, warn: ignore, error: onError, levelVal: Infinity } as unknown as Logger
}

const schema = (operationId: string) => ({
  operationId,
  querystring: Type.Object({ n: Type.Optional(Type.Integer()) }),
})
const config = { access: 'public' } as const

/** Each hook and the handler add the name, so the response names all marketplaces that took part in it. */
const named =
  (name: string): Routes =>
  (app) => {
    const seen = new WeakMap<object, string[]>()
    app.addHook('onRoute', (route) => {
      route.onRequest = async (request) => void seen.set(request, [`route ${name}`])
    })
    app.addHook('preValidation', async (request) => void seen.get(request)?.push(`hook ${name}`))
    app.addHook('onSend', async (_request, reply) => void reply.header('x-sent-by', name))
    app.get('/name', { config, schema: schema('getName') }, async (request) => ({
      seen: [...(seen.get(request) ?? []), `handler ${name}`],
      n: request.query.n,
    }))
    app.get('/failure', { config, schema: schema('getFailure') }, async () => {
      throw new Error(`of ${name}`)
    })
  }

describe('marketplaces with the same routes', () => {
  test('share one framework', async () => {
    await open(named('first'))
    expect(frameworksBuilt).toBe(1)
    await Promise.all(['second', 'third'].map((name) => open(named(name))))
    expect(frameworksBuilt).toBe(1)
  })

  test('run their own hooks and handlers only, with and without a socket', async () => {
    const names = ['first', 'second', 'third']
    const opened = await Promise.all(names.map((name) => open(named(name))))
    const urls = await Promise.all(opened.map((edge) => edge.listen(address)))
    const rounds = Array.from({ length: 20 }, (_, n) => n)
    await Promise.all(
      rounds.flatMap((n) =>
        opened.flatMap((edge, index) => {
          const name = names[index]
          const body = { seen: [`route ${name}`, `hook ${name}`, `handler ${name}`], n }
          const viaSocket = async () => {
            const response = await fetch(`${urls[index]}/name?n=${n}`)
            expect(response.headers.get('x-sent-by')).toBe(name)
            expect(await response.json()).toEqual(body)
          }
          const injected = async () => {
            const response = await edge.inject({ url: `/name?n=${n}` })
            expect(response.headers['x-sent-by']).toBe(name)
            expect(response.json()).toEqual(body)
          }
          return [viaSocket(), injected()]
        }),
      ),
    )
  })

  test('log errors with their own logger, and count request ids and requests on their own', async () => {
    const lines: Record<string, unknown[]> = { first: [], second: [] }
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => open(named(name), { logger: silentLogger((line) => lines[name]?.push(line)) })),
    )
    expect((await first?.inject({ url: '/failure' }))?.statusCode).toBe(500)
    expect((await first?.inject({ url: '/%zz' }))?.headers['x-amzn-requestid']).toBe('request-0002')
    expect((await second?.inject({ url: '/nowhere' }))?.headers['x-amzn-requestid']).toBe('request-0001')
    expect(lines).toMatchObject({ first: [{ err: new Error('of first') }], second: [] })
    const metrics = async (edge: Edge | undefined) => (await edge?.inject({ url: '/metrics' }))?.body
    expect(await metrics(first)).toContain('souk_requests_total{operation="getFailure",status="500"} 1')
    expect(await metrics(first)).not.toContain('status="404"')
    expect(await metrics(second)).toContain('souk_requests_total{operation="unknown",status="404"} 1')
    expect(await metrics(second)).not.toContain('getFailure')
  })

  test('drain and close on their own', async () => {
    const [first, second] = await Promise.all([open(named('first')), open(named('second'))])
    const urls = [await first.listen(address), await second.listen(address)]
    first.drain()
    const ready = async (url = '') => (await fetch(`${url}/readyz`)).status
    expect([await ready(urls[0]), await ready(urls[1])]).toEqual([503, 200])
    await first.close()
    await expect(ready(urls[0])).rejects.toThrow('fetch failed')
    await expect(first.inject({ url: '/name' })).rejects.toThrow('has stopped')
    expect(await ready(urls[1])).toBe(200)
  })
})

describe('a marketplace gets a framework of its own if it has', () => {
  const route =
    (change: object = {}): Routes =>
    (app) =>
      app.route({ method: 'GET', url: '/one', config, schema: schema('one'), handler: async () => 'one', ...change })
  const hook = async () => {}

  test.each<[string, Routes, Partial<EdgeOptions>?]>([
    ['another path', route({ url: '/other' })],
    ['another method', route({ method: 'POST' })],
    ['another schema', route({ schema: { ...schema('one'), querystring: Type.Object({ n: Type.String() }) } })],
    ['another config', route({ config: { ...config, oauth: true } })],
    ['another limit', route({ bodyLimit: 5 })],
    ['another hook on a route', route({ onSend: hook })],
    [
      'another hook on all routes',
      (app) => {
        app.addHook('onSend', hook)
        route()(app)
      },
    ],
    ['a function that is no hook', route({ schemaErrorFormatter: () => new Error('other') })],
    ['other trusted proxies', route(), { trustedProxies: ['10.0.0.1'] }],
  ])('%s', async (_, routes, options) => {
    await open(route())
    const before = frameworksBuilt
    await open(routes, options)
    expect(frameworksBuilt).toBe(before + 1)
    await open(route())
    expect(frameworksBuilt).toBe(before + 1)
  })
})
