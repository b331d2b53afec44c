import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startProcesses } from '../support/service-processes.ts'
import { type SoukProcess, startDev, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

async function startServe(drainSeconds: string): Promise<{ souk: SoukProcess; url: string }> {
  const { env } = await startProcesses({ leaseSeconds: 30 })
  const souk = startSoukProcess(['serve'], { env: { ...env, SOUK_DRAIN_SECONDS: drainSeconds } })
  const [, url = ''] = await souk.waitFor(/"url":"([^"]+)","msg":"server listening"/)
  return { souk, url }
}

/** A client that would keep its connection. */
async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

describe('souk serve, on a stop signal,', () => {
  test('is no longer ready, still responds, and makes clients close their connections', async () => {
    // Longer than the test: what ends it is the second signal.
    const { souk, url } = await startServe('3600')
    const agent = new Agent({ keepAlive: true })
    expect((await ask(`${url}/readyz`, agent)).headers.connection).toBe('keep-alive')
    souk.signal('SIGTERM')
    await waitFor(
      async () => (await fetch(`${url}/readyz`)).status,
      (status) => status === 503,
    )
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      errors: [{ code: 'ServiceUnavailable', message: 'The process is shutting down.', details: '' }],
    })
    // On the connection from before, and on a new one.
    for (const one of [agent, new Agent({ keepAlive: true })]) {
      const response = await ask(`${url}/healthz`, one)
      expect(response.statusCode).toBe(200)
      expect(response.headers.connection).toBe('close')
    }
    expect(await souk.stop('SIGTERM')).toMatchObject({ code: 1, stderr: 'souk: forced to stop\n' })
  })

  test('exits with code 0 after the drain time', async () => {
    const { souk } = await startServe('1')
    const ending = await souk.stop()
    expect(ending).toMatchObject({ code: 0, stderr: '' })
    expect(ending.stdout).toContain('"seconds":1,"msg":"draining"')
  })
})

test('souk dev does not drain, because it has no load balancer', async () => {
  const { souk, url } = await startDev(temporaryFolder())
  const agent = new Agent({ keepAlive: true })
  await ask(`${url}/healthz`, agent)
  const before = performance.now()
  expect(await souk.stop('SIGINT')).toMatchObject({ code: 0 })
  expect(performance.now() - before).toBeLessThan(5000)
})

test('souk serve starts next to a Kubernetes Service named souk, and logs the variables it ignores', async () => {
  const { env } = await startProcesses({ leaseSeconds: 30 })
  const injected = { SOUK_SERVICE_HOST: '10.0.0.1', SOUK_PORT_4700_TCP: 'tcp://10.0.0.1:4700' }
  const souk = startSoukProcess(['serve'], { env: { ...env, ...injected } })
  await souk.waitFor(/"msg":"server listening"/)
  const { code, stdout } = await souk.stop()
  expect(code).toBe(0)
  expect(stdout).toContain('"variables":["SOUK_PORT_4700_TCP","SOUK_SERVICE_HOST"],"msg":"ignoring Kubernetes')
})

test('souk dev logs the variables it ignores', async () => {
  const args = ['dev', '--quiet', '--port', '0', '--data', temporaryFolder()]
  const env = { SOUK_RATES: 'off', SOUK_PORT: '9999', SOUK_SIGNING: 'ignored', SOUK_SERVICE_HOST: '10.0.0.1' }
  const souk = startSoukProcess(args, { env })
  await souk.waitFor(/^souk \S+ at http/m)
  expect((await souk.stop()).stderr).toBe(
    'souk dev ignores SOUK_PORT, SOUK_RATES: it reads SOUK_SIGNING, SOUK_PUBLIC_URL, SOUK_SQS_ENDPOINT, SOUK_CONTROL_HOST, SOUK_READINGS and takes options.\n',
  )
})
