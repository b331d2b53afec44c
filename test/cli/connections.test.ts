import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openSocket, readToEnd } from '../support/exchange.ts'
import { startProcesses } from '../support/service-processes.ts'

test('souk serve closes connections beyond SOUK_MAX_CONNECTIONS, and serves the existing ones', async () => {
  const place = await startProcesses({ leaseSeconds: 30, env: { SOUK_MAX_CONNECTIONS: '2' } })
  const { serve, url } = await place.startServe()
  const held = [openSocket(url), openSocket(url)]
  for (const socket of held) {
    const answer = once(socket, 'data')
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 /)
  }
  expect(await readToEnd(openSocket(url))).toBe('')
  const again = once(held[0] as (typeof held)[number], 'data')
  held[0]?.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String(await again)).toMatch(/^HTTP\/1\.1 200 /)
  for (const socket of held) socket.destroy()
  expect(await serve.stop()).toMatchObject({ code: 0, stderr: '' })
})
