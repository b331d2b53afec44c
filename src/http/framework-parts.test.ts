import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { buildParts } from './framework-parts.ts'
import type { FastifyApp } from './route.ts'

const URLS = ['/orders/:id', '/console', '/console/session', '/operator/v1/sellers/:id', '/_souk/*']

/** Responds with the route of a request, and with "none" if it has none. */
async function open(urls = URLS) {
  const built: string[][] = []
  const parts = await buildParts(async (isIncluded) => {
    const included = urls.filter(isIncluded)
    built.push(included)
    const app = fastify({ exposeHeadRoutes: false })
    for (const url of included) app.get(url, async () => url)
    app.setNotFoundHandler(async () => 'none')
    await app.ready()
    return app as unknown as FastifyApp
  })
  const server = createServer((incoming, outgoing) => parts.serve(incoming, outgoing)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const get = async (path: string) => {
    const [response] = (await once(request({ port, path, agent: false }).end(), 'response')) as [IncomingMessage]
    return (await response.toArray()).join('')
  }
  return { parts, built, get }
}

test('the routes of the operator, the console and the control plane are added with their first request', async () => {
  const { built, get } = await open()
  expect(await get('/orders/1')).toBe('/orders/:id')
  expect(await get('/console')).toBe('/console')
  expect(built).toEqual([['/orders/:id', '/console']])
  expect(await Promise.all(Array.from({ length: 5 }, () => get('/operator/v1/sellers/1')))).toEqual(
    Array(5).fill('/operator/v1/sellers/:id'),
  )
  expect(built.slice(1)).toEqual([['/operator/v1/sellers/:id']])
  expect(await get('/_souk/clock')).toBe('/_souk/*')
  expect(await get('/console/session?a=b')).toBe('/console/session')
  expect(built).toHaveLength(4)
})

test('they are found at all URLs that the router accepts', async () => {
  const { get } = await open()
  expect(await get('/%6Fperator/v1/sellers/1?next=%zz')).toBe('/operator/v1/sellers/:id')
  expect(await get('/%5fsouk/clock')).toBe('/_souk/*')
  expect(await get('http://127.0.0.1/operator/v1/sellers/1')).toBe('/operator/v1/sellers/:id')
  expect(await get('HTTP://souk:4700/console/session')).toBe('/console/session')
  expect(await get('/orders/%2Foperator')).toBe('/orders/:id')
})

test.each([
  '/operator',
  '/operatorv1',
  '/operator%2Fv1/sellers/1',
  '//operator/v1/sellers/1',
  '/Operator/v1/sellers/1',
])('a request to %s has no route, as with one router', async (path) => {
  const { get } = await open()
  expect(await get(path)).toBe('none')
})

test('all are added for the documentation', async () => {
  const { parts, built } = await open()
  await parts.complete()
  expect(built.flat().sort()).toEqual(URLS.toSorted())
})

test.each(['/*', '/:area/orders', '/orders*'])(
  'a route that could be part of all paths, such as %s, is refused',
  async (url) => {
    await expect(open([url])).rejects.toThrow('may be part of all paths')
  },
)
