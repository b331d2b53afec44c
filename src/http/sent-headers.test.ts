import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { KeptHeadersResponse, sentHeadersOf } from './sent-headers.ts'

const bodies = { 'a text': () => 'hello', 'a stream': () => Readable.from(['hello']) }

async function start(body: () => unknown) {
  const sent: OutgoingHttpHeaders[] = []
  const app = fastify({ http: { ServerResponse: KeptHeadersResponse } })
  app.addHook('onResponse', async (_request, reply) => void sent.push(sentHeadersOf(reply)))
  app.get('/', (_request, reply) => reply.header('X-Own', 'mine').type('text/plain').send(body()))
  return { app, sent }
}

test.each(Object.entries(bodies))('the headers that were sent with %s are known after it', async (_, body) => {
  const { app, sent } = await start(body)
  const response = await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))
  expect(await response.text()).toBe('hello')
  await app.close()
  expect(sent).toHaveLength(1)
  expect(Object.fromEntries(response.headers)).toMatchObject({ ...sent[0] })
  expect(sent[0]).toMatchObject({ 'x-own': 'mine', 'content-type': expect.stringContaining('text/plain') })
})

test.each(Object.entries(bodies))('so are those with %s of a request without a socket', async (_, body) => {
  const { app, sent } = await start(body)
  expect((await app.inject('/')).headers).toMatchObject({ ...sent[0] })
  expect(sent[0]).toMatchObject({ 'x-own': 'mine' })
  await app.close()
})

test.each(['ASCII', 'Größe', '\u0080', '価格', '😀', ''])('a text arrives as it was sent: %j', async (text) => {
  const { app } = await start(() => text)
  const response = await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(text))
  await app.close()
})
