import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runSouk, startDev, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { requestSecurely } from '../support/tls.ts'

test('souk dev --tls has its authority in the data folder, and keeps it over a start with --fresh', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'tls', 'ca.pem')
  const host = 'sellingpartnerapi-na.amazon.com'
  const first = await startDev(folder, '--tls', '--tls-port', '0')
  const [, tlsUrl = ''] = await first.souk.waitFor(/^souk \S+ at (https:\S+)$/m)
  const ca = readFileSync(file, 'utf8')
  expect(await requestSecurely(`${tlsUrl}/healthz`, { host, ca })).toMatchObject({ status: 200 })
  expect(await first.souk.stop()).toMatchObject({ code: 0, stderr: '' })
  const second = await startDev(folder, '--tls', '--tls-port', '0', '--fresh')
  const [, newUrl = ''] = await second.souk.waitFor(/^souk \S+ at (https:\S+)$/m)
  expect(await requestSecurely(`${newUrl}/healthz`, { host, ca })).toMatchObject({ status: 200 })
  expect(readFileSync(file, 'utf8')).toBe(ca)
})

test('the banner has the address with TLS and names the command for the settings', async () => {
  const args = ['--port', '0', '--tls', '--tls-port', '0', '--data', temporaryFolder()]
  const souk = startSoukProcess(['dev', ...args])
  await souk.waitFor(/^ {2}with TLS {7}https:\/\/127\.0\.0\.1:[0-9]+ \(souk tls prints the settings for clients\)$/m)
})

test('a start names the option of a port for TLS that is in use', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const args = ['--port', '0', '--tls', '--tls-port', String(port), '--data', temporaryFolder()]
  const { code, stderr } = await runSouk(['dev', ...args])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `souk: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port for TLS with --tls-port.\n`,
  })
})

test.each([
  [1, ['--host', '0.0.0.0', '--proxy-through'], 'On 0.0.0.0, other machines could use the proxy for any host'],
  [2, ['--proxy-through', 'http://a.example'], '--proxy-through must list hosts such as example.com'],
])('exit code %i: souk dev %j is refused with the reason', async (expected, args, reason) => {
  const { code, stderr } = await runSouk(['dev', '--port', '0', '--data', temporaryFolder(), ...args])
  expect(code).toBe(expected)
  expect(stderr).toContain(reason)
})
