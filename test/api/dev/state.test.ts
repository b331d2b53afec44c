import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Souk } from '../../../src/index.ts'
import { testDialect } from '../../support/databases.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { temporaryFolder } from '../../support/souk-process.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

const orderPath = (souk: TestSouk) => `/orders/v0/orders/${souk.demo.orders.eligible[0]}`
const solicit = async (souk: TestSouk) => {
  const token = await souk.tokenFor(souk.demo.refreshToken)
  const path = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}/solicitations/productReviewAndSellerFeedback`
  return (await souk.post(`${path}?marketplaceIds=${souk.demo.marketplaceId}`, { token })).statusCode
}
const snapshotNames = async (souk: TestSouk) =>
  (await souk.get('/_souk/snapshots')).json().snapshots.map(({ name }: { name: string }) => name)

describe('a reset', () => {
  test('restores the demo marketplace, the clock and the quotas', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    for (let times = 0; times < 3; times++) {
      expect(await solicit(souk)).toBe(201)
      expect(await solicit(souk)).toBe(403)
      await souk.post('/_souk/clock', { payload: { advanceSeconds: 3600 } })
      const reset = await souk.post('/_souk/reset')
      expect(reset.json()).toEqual({ time: '2026-06-01T12:00:00.000Z' })
    }
  })

  test('cannot be caused by a web page of another site', async () => {
    const souk = await startTestSouk()
    const refused = await souk.post('/_souk/reset', { headers: { origin: 'https://other.example' } })
    expect(errorOf(refused).status).toBe(403)
  })

  test('can start at any time', async () => {
    const souk = await startTestSouk()
    const reset = await souk.post('/_souk/reset', { payload: { time: '2024-02-29T00:00:00Z' } })
    expect(reset.json()).toEqual({ time: '2024-02-29T00:00:00.000Z' })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const { PurchaseDate } = (await souk.get(orderPath(souk), { token })).json().payload
    expect(PurchaseDate).toMatch(/^2024-02/)
    await souk.reset()
    expect(souk.clock.now()).toEqual(new Date('2026-06-01T12:00:00.000Z'))
  })

  test.each([{ time: 'yesterday' }, { when: '2024-02-29T00:00:00Z' }, { time: '9999-01-01T00:00:00Z' }])(
    'refuses %j and changes nothing',
    async (payload) => {
      const souk = await startTestSouk()
      expect(await solicit(souk)).toBe(201)
      expect(errorOf(await souk.post('/_souk/reset', { payload })).status).toBe(400)
      expect(await solicit(souk)).toBe(403)
    },
  )
})

describe('a snapshot', () => {
  onSqlite('restores rows, documents, clock and quotas', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const report = await souk.post('/reports/2021-06-30/reports', {
      token,
      payload: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] },
    })
    await souk.idle()
    const { reportId } = report.json()
    const read = async () => {
      const { reportDocumentId } = (await souk.get(`/reports/2021-06-30/reports/${reportId}`, { token })).json()
      const { url } = (await souk.get(`/reports/2021-06-30/documents/${reportDocumentId}`, { token })).json()
      return (await fetch(url)).text()
    }
    const before = await read()
    const taken = await souk.post('/_souk/snapshots', { payload: { name: 'with-report' } })
    expect(taken.statusCode).toBe(201)
    expect(taken.json()).toMatchObject({ name: 'with-report', time: '2026-06-01T12:00:00.000Z' })

    await souk.reset()
    expect((await souk.get(`/reports/2021-06-30/reports/${reportId}`, { token })).statusCode).toBe(403)
    await souk.post('/_souk/clock', { payload: { advanceSeconds: 7200 } })
    const restored = await souk.post('/_souk/snapshots/with-report/restore')
    expect(restored.json()).toEqual({ time: '2026-06-01T12:00:00.000Z' })
    expect(await read()).toBe(before)
    expect(await solicit(souk)).toBe(201)
  })

  onSqlite('restores the quota that was used up', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const call = async () => (await souk.get('/sellers/v1/account', { token })).statusCode
    const fresh = 'fresh'
    await souk.snapshot(fresh)
    while ((await call()) === 200);
    await souk.snapshot('used-up')
    await souk.restore(fresh)
    expect(await call()).toBe(200)
    await souk.restore('used-up')
    expect(await call()).toBe(429)
  })

  onSqlite('has the usage of all calls before it, and so does a fork', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const usageOf = async ({ url, demo }: Souk) => {
      const headers = { authorization: `Bearer ${demo.operatorKey}` }
      const { usage } = (await (await fetch(`${url}/operator/v1/usage`, { headers })).json()) as {
        usage: { operation: string; requests: number }[]
      }
      return usage.find((one) => one.operation === 'getAccount')?.requests
    }
    for (let call = 0; call < 3; call++) await souk.get('/sellers/v1/account', { token })
    expect(await usageOf(await souk.fork())).toBe(3)
    await souk.get('/sellers/v1/account', { token })
    await souk.snapshot('used')
    await souk.restore('used')
    expect(await usageOf(souk)).toBe(4)
  })

  onSqlite('can be listed, replaced and deleted', async () => {
    const souk = await startTestSouk()
    const take = (payload: object) => souk.post('/_souk/snapshots', { payload })
    await take({ name: 'a' })
    expect(errorOf(await take({ name: 'a' }))).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect((await take({ name: 'a', replace: true })).statusCode).toBe(201)
    // The same folder on macOS and Windows.
    expect(errorOf(await take({ name: 'A', replace: true }))).toMatchObject({ status: 400, code: 'InvalidInput' })
    await take({ name: 'b' })
    expect(await snapshotNames(souk)).toEqual(['a', 'b'])
    expect((await souk.delete('/_souk/snapshots/a')).statusCode).toBe(204)
    expect(await snapshotNames(souk)).toEqual(['b'])
    expect(errorOf(await souk.delete('/_souk/snapshots/a'))).toMatchObject({ status: 404 })
    const missing = errorOf(await souk.post('/_souk/snapshots/a/restore'))
    expect(missing).toMatchObject({ status: 404, details: 'There are: b.' })
  })

  onSqlite('of a version with another schema is refused with place and reason, and nothing changes', async () => {
    const snapshots = temporaryFolder()
    const souk = await startTestSouk({ snapshots })
    await souk.snapshot('other')
    expect(await solicit(souk)).toBe(201)
    souk.clock.advance(60_000)
    const before = souk.clock.now()
    const file = join(snapshots, 'other', 'state.json')
    const state = JSON.parse(readFileSync(file, 'utf8'))
    const restore = () => souk.post('/_souk/snapshots/other/restore')
    writeFileSync(file, JSON.stringify({ ...state, schema: '9999-later', version: '9.0.0' }))
    const reason = /is a snapshot of Souk 9\.0\.0, whose database has other tables \(9999-later, not .*take it again/
    expect(errorOf(await restore())).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('[name]'),
      details: expect.stringMatching(reason),
    })
    const forked = await souk.post('/_souk/forks', { payload: { snapshot: 'other' } })
    expect(errorOf(forked)).toMatchObject({ status: 400, message: expect.stringContaining('[snapshot]') })
    expect(souk.clock.now()).toEqual(before)
    expect(await solicit(souk)).toBe(403)
    expect(await souk.forks.list()).toEqual([])

    writeFileSync(file, JSON.stringify({ ...state, version: '9.0.0' }))
    expect((await restore()).statusCode).toBe(200)
    expect(await solicit(souk)).toBe(201)
  })

  onSqlite.each(['', '.hidden', 'end.', '../elsewhere', 'a/b', 'x'.repeat(65), 'ü', 'a\u0000'])(
    'cannot have the name %j',
    async (name) => {
      const souk = await startTestSouk()
      expect(errorOf(await souk.post('/_souk/snapshots', { payload: { name } })).status).toBe(400)
      expect(await snapshotNames(souk)).toEqual([])
      const path = `/_souk/snapshots/${encodeURIComponent(name)}/restore`
      expect((await souk.post(path)).statusCode).toBeGreaterThanOrEqual(400)
    },
  )

  onSqlite('waits for requests that are running, and they see one state or the other', async () => {
    const souk = await startTestSouk()
    await souk.snapshot('start')
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        if (index % 10 === 5) return void (await souk.restore('start'))
        return (await souk.get(orderPath(souk), { token })).statusCode
      }),
    )
    // The token was made after the snapshot.
    expect(statuses.every((status) => status === undefined || status === 200 || status === 403)).toBe(true)
  })
})

/** What the responses of these tests contain. */
interface Body extends Pick<Souk, 'url' | 'demo'> {
  id: string
  access_token: string
  _embedded: { actions: unknown[] }
}

describe('a fork', () => {
  const call = async (souk: Pick<Souk, 'url'>, path: string, init: RequestInit = {}) => {
    const response = await fetch(souk.url + path, init)
    return { status: response.status, body: (await response.json()) as Body }
  }
  const tokenOf = async ({ url, demo }: Pick<Souk, 'url' | 'demo'>) => {
    const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = demo
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
    return call({ url }, '/auth/o2/token', { method: 'POST', body })
  }

  onSqlite('shares nothing with its parent', async () => {
    const souk = await startTestSouk()
    expect(await solicit(souk)).toBe(201)
    const { body: fork } = await call(souk, '/_souk/forks', { method: 'POST' })
    const { body: granted } = await tokenOf(fork)
    const headers = { 'x-amz-access-token': granted.access_token }
    // It has what its parent had.
    const path = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}?marketplaceIds=${souk.demo.marketplaceId}`
    expect((await call(fork, path, { headers })).body._embedded.actions).toEqual([])
    // The clock, the rows and the tokens are apart.
    await call(fork, '/_souk/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds: 60 }),
    })
    expect((await souk.get('/_souk/clock')).json().offsetSeconds).toBe(0)
    expect((await call(souk, '/sellers/v1/account', { headers })).status).toBe(403)
    await call(fork, '/_souk/reset', { method: 'POST' })
    const { body: again } = await tokenOf(fork)
    const actions = await call(fork, path, { headers: { 'x-amz-access-token': again.access_token } })
    expect(actions.body._embedded.actions).toHaveLength(1)
    expect(await solicit(souk)).toBe(403)
  })

  onSqlite('does not take the credentials of its parent, nor the parent those of a fork', async () => {
    const souk = await startTestSouk()
    const fork = await souk.fork()
    expect((await tokenOf(fork)).status).toBe(200)
    expect((await tokenOf({ url: fork.url, demo: souk.demo })).status).toBe(401)
    expect((await tokenOf({ url: souk.url, demo: fork.demo })).status).toBe(401)
    const authorization = `Bearer ${fork.demo.operatorKey}`
    expect((await call(fork, '/operator/v1/sellers', { headers: { authorization } })).status).toBe(200)
    expect((await call(souk, '/operator/v1/sellers', { headers: { authorization } })).status).toBe(403)
  })

  onSqlite('begins at the time of its parent, and a reset of it returns to the time of the start', async () => {
    const souk = await startTestSouk()
    const start = souk.clock.now()
    souk.clock.advance(86_400_000)
    const fork = await souk.fork()
    expect(fork.clock.now()).toEqual(souk.clock.now())
    await fork.reset()
    expect(fork.clock.now()).toEqual(start)
    expect(souk.clock.now()).not.toEqual(start)
  })

  onSqlite('that starts meanwhile does not end the wait for work', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const payload = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] }
    const created = await Promise.all(
      Array.from({ length: 20 }, () => souk.post('/reports/2021-06-30/reports', { token, payload })),
    )
    const forking = souk.fork()
    const idle = souk.idle()
    await forking
    await idle
    const reports = await Promise.all(
      created.map((one) => souk.get(`/reports/2021-06-30/reports/${one.json().reportId}`, { token })),
    )
    expect(new Set(reports.map((one) => one.json().processingStatus))).toEqual(new Set(['DONE']))
  })

  onSqlite('is listed until it is stopped', async () => {
    const souk = await startTestSouk()
    const fork = await souk.fork()
    const { body: other } = await call(souk, '/_souk/forks', { method: 'POST' })
    const { forks } = (await souk.get('/_souk/forks')).json()
    expect(forks.map(({ url }: { url: string }) => url)).toEqual([fork.url, other.url])
    await fork.stop()
    expect((await souk.delete(`/_souk/forks/${other.id}`)).statusCode).toBe(204)
    expect((await souk.get('/_souk/forks')).json()).toEqual({ forks: [] })
    await expect(fetch(other.url)).rejects.toThrow()
    expect(errorOf(await souk.delete(`/_souk/forks/${other.id}`)).status).toBe(404)
  })

  onSqlite('can start from a snapshot', async () => {
    const souk = await startTestSouk()
    await souk.snapshot('start')
    expect(await solicit(souk)).toBe(201)
    const fork = await souk.fork({ snapshot: 'start' })
    const { body: granted } = await tokenOf(fork)
    const path = `/solicitations/v1/orders/${souk.demo.orders.eligible[0]}?marketplaceIds=${souk.demo.marketplaceId}`
    const { body } = await call(fork, path, { headers: { 'x-amz-access-token': granted.access_token } })
    expect(body._embedded.actions).toHaveLength(1)
    await expect(souk.fork({ snapshot: 'other' })).rejects.toThrow('There is no snapshot other.')
  })
})

test.runIf(testDialect === 'postgres')('snapshots and forks need SQLite', async () => {
  const souk = await startTestSouk()
  const refused = errorOf(await souk.post('/_souk/snapshots', { payload: { name: 'a' } }))
  expect(refused).toMatchObject({ status: 400, message: 'Snapshots and forks need SQLite.' })
  expect(errorOf(await souk.post('/_souk/forks')).status).toBe(400)
})
