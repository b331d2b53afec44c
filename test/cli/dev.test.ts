import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSouk, startDev, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { ONE_SENTENCE, requestToken } from './demo-requests.ts'

describe('souk dev', () => {
  test('prints a URL that serves a token request, stores its data in .souk, and ends with Ctrl+C', async () => {
    const folder = temporaryFolder()
    const souk = startSoukProcess(['dev', '--port', '0'], { cwd: folder })
    const [, url = ''] = await souk.waitFor(/^ {2}address +(http:\S+)$/m)
    await souk.waitFor(/Ctrl\+C/)
    const response = await requestToken(url)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ access_token: expect.stringMatching(/^Atza\|/) })
    expect(existsSync(join(folder, '.souk', 'souk.db'))).toBe(true)
    expect(await souk.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
  })

  test('prints only the URL with --quiet', async () => {
    const { souk, url } = await startDev(temporaryFolder())
    await requestToken(url)
    const ending = await souk.stop()
    expect(ending).toEqual({ code: 0, stdout: expect.stringMatching(/^souk \S+ at \S+\n$/), stderr: '' })
  })

  test('says that other machines do not reach the control plane, where they reach the rest', async () => {
    const souk = startSoukProcess(['dev', '--port', '0', '--data', temporaryFolder(), '--host', '0.0.0.0'])
    await souk.waitFor(/^ {2}control plane {2}on loopback addresses only \(--control-host 0\.0\.0\.0 opens it\)$/m)
  })

  test('applies the configured rates', async () => {
    const limitOf = async (...args: string[]) => {
      const { url } = await startDev(temporaryFolder(), ...args)
      const { access_token } = (await (await requestToken(url)).json()) as { access_token: string }
      const headers = { 'x-amz-access-token': access_token }
      const order = '/solicitations/v1/orders/123-1234567-1234567?marketplaceIds=ATVPDKIKX0DER'
      return (await fetch(url + order, { headers })).headers.get('x-amzn-ratelimit-limit')
    }
    const limits = [limitOf(), limitOf('--rates', '3'), limitOf('--rates', 'off')]
    expect(await Promise.all(limits)).toEqual(['1.0', '3.0', null])
  })
})

describe.concurrent('souk dev reports in one sentence, with exit code 1, that', () => {
  const refusal = async (args: string[], env: Record<string, string> = {}) => {
    const ending = await runSouk(['dev', '--port', '0', ...args], { env })
    expect(ending).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_SENTENCE) })
    return ending.stderr
  }

  test('the port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const stderr = await refusal(['--port', String(port), '--data', temporaryFolder()])
    holder.close()
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
  })

  test('the port of the local queue is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const stderr = await refusal(['--quiet', '--queue-port', String(port), '--data', temporaryFolder()])
    holder.close()
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(stderr).toContain('--queue-port')
  })

  test('the host is not an address of this machine', async () => {
    // 203.0.113.0/24 is set aside for documentation (RFC 5737), so no machine has it.
    const stderr = await refusal(['--host', '203.0.113.7', '--data', temporaryFolder()])
    expect(stderr).toContain('203.0.113.7 is not an address of this machine')
  })

  test('the data folder cannot be written', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const folder = join(file, 'data')
    expect(await refusal(['--data', folder])).toContain(`The data folder ${folder} is not writable`)
  })

  test('the file in the data folder is not a database', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'souk.db'), 'The quick brown fox jumps over the lazy dog. '.repeat(100))
    expect(await refusal(['--data', folder])).toContain(folder)
  })

  test('SOUK_SIGNING has an unknown value', async () => {
    const stderr = await refusal(['--data', temporaryFolder()], { SOUK_SIGNING: 'maybe' })
    expect(stderr).toContain('SOUK_SIGNING must be ignored or required, not "maybe"')
  })
})
