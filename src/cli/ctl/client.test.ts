import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlClient } from './client.ts'
import { readControlOperations } from './operations.ts'
import { runCtl } from './program.ts'

let respond: RequestListener
const server = createServer((request, response) => respond(request, response))
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function run(words: string) {
  const lines: { out: string[]; err: string[] } = { out: [], err: [] }
  const output = { out: (text: string) => lines.out.push(text), err: (text: string) => lines.err.push(text) }
  const code = await runCtl(words.split(' '), { env: { SOUK_URL: url }, output: { ...output, isTerminal: false } })
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

const responds =
  (type: string, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body)
const diesAfter =
  (type: string, part: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(part, () => response.destroy())
  }
const PROGRESS = 'event: progress\ndata: {"task":"life","done":1}\n\n'

describe('souk ctl ends with exit code 3', () => {
  test.each<[string, RequestListener]>([
    ['stops', responds('text/event-stream', PROGRESS)],
    ['dies', diesAfter('text/event-stream', PROGRESS)],
  ])('if Souk %s while it waits', async (_what, response) => {
    respond = response
    expect(await run('wait')).toMatchObject({ code: 3, err: expect.stringContaining(url) })
  })

  test('if Souk dies while it follows requests', async () => {
    respond = diesAfter('text/event-stream', ': connected\n\n')
    expect(await run('requests --follow')).toMatchObject({ code: 3, out: '' })
  })

  test('if Souk dies within a response', async () => {
    respond = diesAfter('application/json', '{"now":')
    expect(await run('clock get')).toMatchObject({ code: 3, out: '', err: expect.stringContaining('No Souk responds') })
  })

  test.each([
    ['clock freeze', 'text/html', '<html></html>'],
    ['clock get', 'application/json', '{"now":'],
    ['requests clear', 'text/plain', 'ok'],
    ['wait', 'text/html', '<html></html>'],
  ])('if another server responds to "%s" with %s %s', async (words, type, body) => {
    respond = responds(type, body)
    expect(await run(words)).toEqual({
      code: 3,
      out: '',
      err: expect.stringContaining('Is it the address of souk dev?'),
    })
  })

  test('if a response does not end in time', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"now":')
    }
    const operation = readControlOperations().find(({ operationId }) => operationId === 'getClock')
    if (!operation) throw new Error('There is no getClock')
    const client = new ControlClient(url, { timeoutMilliseconds: 1 })
    await expect(client.call(operation, {})).rejects.toMatchObject({ exitCode: 3 })
    const patient = new ControlClient(url, { timeoutMilliseconds: 500 })
    await expect(patient.call(operation, {})).rejects.toMatchObject({ exitCode: 3 })
  })
})

test('souk ctl waits until the event idle comes', async () => {
  respond = responds('text/event-stream; charset=utf-8', `${PROGRESS}event: idle\ndata: {}\n\n`)
  expect(await run('wait')).toMatchObject({ code: 0 })
})
