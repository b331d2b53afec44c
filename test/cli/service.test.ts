import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { documentedRows } from '../house/documented-rows.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { runSouk, type SoukProcess, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { ONE_SENTENCE, requestToken } from './demo-requests.ts'

const SOUK_OPERATOR_KEY = 'an-operator-key-for-tests'

async function settings(content: 'nothing' | 'schema') {
  return {
    SOUK_DATABASE_URL: await createPostgresDatabase(content),
    SOUK_DOCUMENTS_URL: pathToFileURL(temporaryFolder()).href,
    SOUK_PUBLIC_URL: 'https://souk.example',
    SOUK_OPERATOR_KEY,
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
    SOUK_HOST: '127.0.0.1',
    SOUK_PORT: '0',
  }
}

async function startServe(env: Record<string, string>): Promise<{ souk: SoukProcess; url: string }> {
  const souk = startSoukProcess(['serve'], { env })
  const [, url = ''] = await souk.waitFor(/"url":"([^"]+)","msg":"server listening"/)
  return { souk, url }
}

async function startWorker(env: Record<string, string>): Promise<{ worker: SoukProcess; url: string }> {
  const worker = startSoukProcess(['worker'], { env })
  const [, url = ''] = await worker.waitFor(/"url":"([^"]+)","msg":"worker started"/)
  return { worker, url }
}

const askOperatorApi = (url: string, path: string, init: RequestInit = {}) =>
  fetch(`${url}/operator/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${SOUK_OPERATOR_KEY}`, 'content-type': 'application/json' },
  })

describe('souk migrate', () => {
  test('creates the schema, and does nothing the second time', async () => {
    const env = await settings('nothing')
    expect(await runSouk(['migrate'], { env })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Migrated: 0001-init(, .+)?\.\n$/),
      stderr: '',
    })
    expect(await runSouk(['migrate'], { env })).toEqual({
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: '',
    })
    const { souk, url } = await startServe(env)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await souk.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(['serve', 'worker'])('is required by souk %s for a new database', async (command) => {
    const ending = await runSouk([command], { env: await settings('nothing') })
    expect(ending.code).toBe(1)
    expect(ending.stderr).toContain('Run `souk migrate` first')
    expect(ending.stderr).toMatch(ONE_SENTENCE)
  })
})

describe('souk serve', () => {
  test('has an operator API for callers with the key, no control plane, no demo data and no documentation', async () => {
    const { souk, url } = await startServe(await settings('schema'))

    expect((await fetch(`${url}/_souk/clock`)).status).toBe(404)
    for (const path of ['', 'docs/', 'docs/try', 'docs/try/json', 'console/', 'console/v1/session']) {
      const response = await fetch(`${url}/${path}`)
      expect(response.status).toBe(404)
      expect(response.headers.get('x-souk-reason') ?? '').not.toContain('/docs')
    }
    expect((await fetch(`${url}/operator/v1/sellers`)).status).toBe(403)
    expect(await (await askOperatorApi(url, 'sellers')).json()).toEqual({ sellers: [] })
    expect((await requestToken(url)).status).toBe(401)
    expect(await souk.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('serves its documentation with SOUK_DOCS=on', async () => {
    const { souk, url } = await startServe({ ...(await settings('schema')), SOUK_DOCS: 'on' })
    expect((await fetch(`${url}/docs`, { redirect: 'manual' })).headers.get('location')).toBe('/docs/')
    expect(await (await fetch(`${url}/docs/try/json`)).json()).toMatchObject({ openapi: '3.1.0' })
    expect((await fetch(`${url}/nowhere`)).headers.get('x-souk-reason')).toContain('/docs/coverage')
    expect(await souk.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('serves the console with SOUK_CONSOLE=on, and a session works in all processes until the account is disabled', async () => {
    const env = { ...(await settings('schema')), SOUK_CONSOLE: 'on' }
    const [first, second] = await Promise.all([startServe(env), startServe(env)])
    const account = { name: 'olga', role: 'operator', password: 'correct horse battery' }
    await askOperatorApi(first.url, 'consoleAccounts', { method: 'POST', body: JSON.stringify(account) })
    const session = `${first.url}/console/v1/session`
    const developer = { 'x-souk-console': '1', 'content-type': 'application/json' }
    expect((await fetch(session, { headers: developer })).status).toBe(401)
    expect((await fetch(`${first.url}/operator/v1/sellers`, { headers: developer })).status).toBe(401)
    const body = JSON.stringify({ name: 'olga', password: account.password })
    const signedIn = await fetch(session, { method: 'POST', headers: developer, body })
    const { csrfToken, ...facts } = (await signedIn.json()) as Record<string, string>
    expect(facts).toMatchObject({ mode: 'serve', role: 'operator', accountName: 'olga', hasControlPlane: false })
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toContain('; Secure')
    const headers = { cookie: cookie.split(';')[0] as string, 'x-souk-console': csrfToken as string }
    const ask = async () => (await fetch(`${second.url}/operator/v1/sellers`, { headers })).status
    expect(await ask()).toBe(200)
    const disabled = { method: 'PATCH', body: JSON.stringify({ isDisabled: true }) }
    expect((await askOperatorApi(first.url, 'consoleAccounts/olga', disabled)).status).toBe(200)
    expect(await ask()).toBe(401)
    const endings = await Promise.all([first.souk.stop(), second.souk.stop()])
    expect(endings.map(({ code }) => code)).toEqual([0, 0])
  })

  test('serves data that the operator wrote through another process', async () => {
    const env = await settings('schema')
    const [first, second] = await Promise.all([startServe(env), startServe(env)])
    const marketplace = {
      marketplaceId: 'M1',
      countryCode: 'FR',
      currencyCode: 'EUR',
      languageCode: 'fr_FR',
      name: 'Souk',
      domainName: 'souk.example',
    }
    const body = JSON.stringify({ marketplaces: [marketplace] })
    expect((await askOperatorApi(first.url, 'marketplaces', { method: 'PUT', body })).status).toBe(200)
    expect(await (await askOperatorApi(second.url, 'marketplaces/M1')).json()).toEqual(marketplace)
    const endings = await Promise.all([first.souk.stop(), second.souk.stop()])
    expect(endings.map(({ code }) => code)).toEqual([0, 0])
  })
})

describe('souk worker', () => {
  test('starts, reports that it is alive and ready, and exits with code 0 on a stop signal', async () => {
    const { worker, url } = await startWorker(await settings('schema'))
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
    expect((await fetch(`${url}/operator/v1/jobs`)).status).toBe(404)
    expect((await fetch(`${url}/healthz`, { method: 'POST', body: 'x' })).status).toBe(404)
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('names its connections, as souk serve does', async () => {
    const env = await settings('schema')
    const [{ url }] = await Promise.all([startServe(env), startWorker(env)])
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const client = new pg.Client(env.SOUK_DATABASE_URL)
    await client.connect()
    const { rows } = await client.query(
      `select distinct application_name from pg_stat_activity
       where datname = current_database() and application_name like 'souk-%' order by 1`,
    )
    await client.end()
    expect(rows.map(({ application_name }) => application_name)).toEqual(['souk-serve', 'souk-worker'])
  })

  test('names the setting of a port that is in use', async () => {
    const env = await settings('schema')
    const { url } = await startWorker(env)
    const { code, stderr } = await runSouk(['worker'], { env: { ...env, SOUK_WORKER_PORT: new URL(url).port } })
    expect(code).toBe(1)
    expect(stderr).toContain('with SOUK_WORKER_PORT')
  })
})

test('every metric of the documentation is in /metrics of souk serve or souk worker, and no other', async () => {
  const env = {
    ...(await settings('schema')),
    SOUK_DATABASE_REPLICA_URL: 'postgres://127.0.0.1:1/souk',
    SOUK_QUOTA_URL: 'redis://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  }
  const [{ url: serveUrl }, { url: workerUrl }] = await Promise.all([startServe(env), startWorker(env)])
  const namesAt = async (url: string) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return [...text.matchAll(/^# TYPE (souk_\w+) /gm)].map(([, name]) => name as string)
  }
  const documented = documentedRows('operating.md').map(([name]) => name as string)
  const existing = new Set([...(await namesAt(serveUrl)), ...(await namesAt(workerUrl))])
  expect(documented.filter((name) => name.startsWith('souk_')).sort()).toEqual([...existing].sort())
})
