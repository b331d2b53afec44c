import { AsyncLocalStorage } from 'node:async_hooks'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { handleTogether } from './handle-together.ts'
import type { FastifyApp } from './route.ts'

test('requests that arrive together are all received before the first is handled', async () => {
  const steps: string[] = []
  const app: FastifyApp = fastify().withTypeProvider()
  app.addHook('onRequest', ({ url }, _reply, done) => {
    steps.push(`received ${url}`)
    done()
  })
  handleTogether(app)
  app.get('/:name', async ({ url }) => {
    steps.push(`handled ${url}`)
    return url
  })
  const responses = await Promise.all([app.inject('/a'), app.inject('/b')])
  expect(responses.map(({ body }) => body)).toEqual(['/a', '/b'])
  expect(steps).toEqual(['received /a', 'received /b', 'handled /a', 'handled /b'])
})

test('a handler has the asynchronous context of its own request', async () => {
  const context = new AsyncLocalStorage<string>()
  const app: FastifyApp = fastify().withTypeProvider()
  app.addHook('onRequest', ({ url }, _reply, done) => context.run(url, done))
  handleTogether(app)
  app.get('/:name', async () => context.getStore())
  const responses = await Promise.all([app.inject('/a'), app.inject('/b')])
  expect(responses.map(({ body }) => body)).toEqual(['/a', '/b'])
})
