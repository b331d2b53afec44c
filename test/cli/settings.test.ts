import { describe, expect, inject, test } from 'vitest'
import { runSouk } from '../support/souk-process.ts'
import { ONE_SENTENCE } from './demo-requests.ts'

// Nothing listens on port 1.
const complete = {
  SOUK_DATABASE_URL: 'postgres://souk@127.0.0.1:1/souk',
  SOUK_DOCUMENTS_URL: 'file:///nowhere',
  SOUK_PUBLIC_URL: 'http://127.0.0.1:1',
  SOUK_OPERATOR_KEY: 'an-operator-key-for-tests',
  SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
}

// Several processes start at once: the timeout is for a busy machine.
describe.concurrent('the commands of the service', { timeout: 60_000 }, () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['serve', 'without settings', {}, `${Object.keys(complete).join(', ')} are required`],
    ['worker', 'without settings', {}, `${Object.keys(complete).join(', ')} are required`],
    ['migrate', 'without settings', {}, 'SOUK_DATABASE_URL is required'],
    [
      'serve',
      'with a misspelt setting',
      { ...complete, SOUK_RATE: 'off' },
      'SOUK_RATE is not a Souk setting. Did you mean SOUK_RATES?',
    ],
    ['worker', 'with a misspelt setting', { ...complete, SOUK_RATE: 'off' }, 'SOUK_RATE is not a Souk setting'],
    ['serve', 'without documents', { ...complete, SOUK_DOCUMENTS_URL: '' }, 'SOUK_DOCUMENTS_URL is required'],
    ['serve', 'with a port that does not exist', { ...complete, SOUK_PORT: '70000' }, 'SOUK_PORT must be'],
  ])('souk %s does not start %s, and names the setting in one sentence', async (command, _what, env, sentence) => {
    const ending = await runSouk([command], { env })
    expect(ending).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_SENTENCE) })
    expect(ending.stderr).toContain(sentence)
  })

  test.each(['serve', 'worker', 'migrate'])('souk %s reports an unreachable database in one sentence', async (name) => {
    const { code, stderr } = await runSouk([name], { env: complete })
    expect(code).toBe(1)
    expect(stderr).toBe(
      'souk: Cannot use the database in SOUK_DATABASE_URL: nothing listens at 127.0.0.1:1 (ECONNREFUSED).\n',
    )
  })

  test.each<[string, string, (server: URL) => void, RegExp]>([
    ['migrate', 'a database that is not there', (url) => (url.pathname = '/nothing'), /has no database "nothing"/],
    ['migrate', 'a wrong password', () => {}, /does not accept the user "souk"/],
    ['migrate', 'a missing role', (url) => (url.username = 'nobody'), /does not accept the user "nobody"/],
    ['migrate', 'an unknown host', (url) => (url.hostname = 'host.invalid'), /"host\.invalid" cannot be found/],
    ['migrate', 'TLS that the server has not', (url) => (url.search = '?sslmode=verify-full'), /TLS connection/],
    ['migrate', 'a certificate that is not there', (url) => (url.search = '?sslrootcert=/no.pem'), /no\.pem/],
    ['migrate', 'a broken percent-encoding', (url) => (url.password = '%ff'), /is not a valid URL/],
  ])('souk %s explains %s in SOUK_DATABASE_URL in one sentence, without the password', async (...row) => {
    const [command, what, change, reason] = row
    const url = new URL(`${inject('postgresServer')}/postgres`)
    if (!what.includes('database')) url.password = 'a-wrong-password'
    change(url)
    const ending = await runSouk([command], { env: { ...complete, SOUK_DATABASE_URL: url.href } })
    expect(ending).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_SENTENCE) })
    expect(ending.stderr).toContain('SOUK_DATABASE_URL')
    expect(ending.stderr).toMatch(reason)
    expect(ending.stderr).not.toContain('a-wrong-password')
  })
})
