import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type SoukProcess, startDev, temporaryFolder } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

const BODY = JSON.stringify({ advanceSeconds: 60 })

/** A request whose headers have arrived and whose body is half sent, on a keep-alive connection. */
async function beginRequest(url: string): Promise<ClientRequest> {
  const call = request(`${url}/_souk/clock`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: { 'content-type': 'application/json', 'content-length': BODY.length, expect: '100-continue' },
  })
  call.flushHeaders()
  await once(call, 'continue')
  call.write(BODY.slice(0, 5))
  return call
}

/** A connection on which nothing is under way: it closes as soon as the stop has begun. */
async function openIdleConnection(url: string): Promise<Socket> {
  const call = request(`${url}/healthz`, { agent: new Agent({ keepAlive: true }) }).end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const { socket } = response
  response.resume()
  await once(response, 'end')
  return socket
}

async function beginStop(souk: SoukProcess, idle: Socket): Promise<void> {
  const closed = once(idle, 'close')
  souk.signal('SIGTERM')
  await closed
}

describe('stopping souk dev', () => {
  test('finishes running requests, and then exits with code 0', async () => {
    const { souk, url } = await startDev(temporaryFolder())
    const call = await beginRequest(url)
    await beginStop(souk, await openIdleConnection(url))

    call.end(BODY.slice(5))
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    expect(response.statusCode).toBe(200)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ offsetSeconds: 60 })
    expect(await souk.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('accepts no new connections', async () => {
    const { souk, url } = await startDev(temporaryFolder())
    const call = await beginRequest(url)
    await beginStop(souk, await openIdleConnection(url))
    // The port closes right after the idle connection. A connection opened in between is reset without a response.
    const refusal = () =>
      fetch(`${url}/healthz`).then(
        () => 'answered',
        ({ cause }) => cause.code as string,
      )
    expect(await waitFor(refusal, (code) => code !== 'ECONNRESET')).toBe('ECONNREFUSED')
    call.on('error', () => {}).destroy()
    expect(await souk.ended).toMatchObject({ code: 0 })
  })

  test('exits immediately with code 1 on a second signal', async () => {
    const { souk, url } = await startDev(temporaryFolder())
    const call = await beginRequest(url)
    call.on('error', () => {})
    await beginStop(souk, await openIdleConnection(url))
    expect(await souk.stop('SIGTERM')).toMatchObject({ code: 1, stderr: 'souk: forced to stop\n' })
  })
})
