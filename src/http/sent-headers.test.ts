import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { fastify } from 'fastify'
import { describe, expect, test } from 'vitest'
import { addValidHeader, KeptHeadersResponse, keepBody, sentHeadersOf } from './sent-headers.ts'

const bodies = { 'a text': () => 'hello', 'a stream': () => Readable.from(['hello']) }

async function start(body: () => unknown) {
  const sent: OutgoingHttpHeaders[] = []
  const kept: (string | Buffer)[] = []
  const app = fastify({ http: { ServerResponse: KeptHeadersResponse } })
  app.addHook('onRequest', async (_request, reply) =>
    keepBody(reply.raw, { keepResponseBody: (one) => void kept.push(one) }),
  )
  app.addHook('onResponse', async (_request, reply) => void sent.push(sentHeadersOf(reply)))
  app.get('/', (_request, reply) => reply.header('X-Own', 'mine').type('text/plain').send(body()))
  return { app, sent, kept }
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

describe('the body of a response is kept', () => {
  const texts = { 'a text': () => 'hello', bytes: () => Buffer.from('hello') }

  test.each(Object.entries(texts))('as it was sent: %s', async (_, body) => {
    const { app, kept } = await start(body)
    await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))
    await app.inject('/')
    expect(kept).toEqual([body(), body()])
    await app.close()
  })

  test('but not that of a stream', async () => {
    const { app, kept } = await start(bodies['a stream'])
    await (await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))).text()
    await app.inject('/')
    expect(kept).toEqual([])
    await app.close()
  })
})

test.each(Object.entries(bodies))('a header that needs no check is sent with the others, with %s', async (_, body) => {
  const { app } = await start(body)
  app.addHook('onRequest', async (_request, reply) => addValidHeader(reply, 'x-link', 'http://127.0.0.1/1'))
  const response = await fetch(await app.listen({ host: '127.0.0.1', port: 0 }))
  expect(await response.text()).toBe('hello')
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-link': 'http://127.0.0.1/1', 'x-own': 'mine' })
  expect((await app.inject('/')).headers).toMatchObject({ 'x-link': 'http://127.0.0.1/1', 'x-own': 'mine' })
  await app.close()
})

test('headers with values of ours are sent as they are, and all others are checked', async () => {
  const ours = {
    'cache-control': 'no-store',
    'x-amzn-requestid': '1',
    'content-type': 'application/json; charset=utf-8',
  }
  const app = fastify({ http: { ServerResponse: KeptHeadersResponse } })
  app.get('/:value', (request, reply) =>
    reply.headers({ ...ours, 'x-own': (request.params as { value: string }).value }).send({}),
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const valid = await fetch(`${url}/mine`)
  expect(Object.fromEntries(valid.headers)).toMatchObject({ ...ours, 'x-own': 'mine', 'content-length': '2' })
  expect((await fetch(`${url}/a%0d%0ab`)).status).toBe(500)
  await app.close()
})
