import { describe, expect, test } from 'vitest'
import { runSouk } from '../support/souk-process.ts'
import { ONE_SENTENCE } from './client.ts'

// Nothing listens on port 1.
const complete = {
  SOUK_DATABASE_URL: 'postgres://souk@127.0.0.1:1/souk',
  SOUK_DOCUMENTS_URL: 'file:///nowhere',
  SOUK_PUBLIC_URL: 'http://127.0.0.1:1',
  SOUK_OPERATOR_KEY: 'an-operator-key-for-tests',
  SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
}

describe.concurrent('the commands of the service', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['serve', 'without settings', {}, 'SOUK_DATABASE_URL is not set'],
    ['worker', 'without settings', {}, 'SOUK_DATABASE_URL is not set'],
    ['migrate', 'without settings', {}, 'SOUK_DATABASE_URL is not set'],
    ['serve', 'with a misspelt setting', { ...complete, SOUK_RATE: 'off' }, 'SOUK_RATE is not a setting of souk'],
    ['worker', 'with a misspelt setting', { ...complete, SOUK_RATE: 'off' }, 'SOUK_RATE is not a setting of souk'],
    ['serve', 'without documents', { ...complete, SOUK_DOCUMENTS_URL: '' }, 'SOUK_DOCUMENTS_URL is not set'],
    ['serve', 'with a port that does not exist', { ...complete, SOUK_PORT: '70000' }, 'SOUK_PORT must be'],
  ])('souk %s does not start %s, and names the setting in one sentence', async (command, _what, env, sentence) => {
    const ending = await runSouk([command], { env })
    expect(ending).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_SENTENCE) })
    expect(ending.stderr).toContain(sentence)
  })

  test.each(['serve', 'worker', 'migrate'])(
    'souk %s says in one line that it cannot reach the database',
    async (name) => {
      const { code, stderr } = await runSouk([name], { env: complete })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^souk: [^\n]+ECONNREFUSED[^\n]+\n$/)
    },
  )
})
