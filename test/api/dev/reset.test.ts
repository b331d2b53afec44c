import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Routes } from '../../../src/http/route.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { deferred } from '../../support/jobs.ts'
import { startTestSouk } from '../../support/souk.ts'
import { temporaryFolder } from '../../support/souk-process.ts'

describe('reset', () => {
  test('of a new marketplace goes back to exactly the orders that it began with', async () => {
    const souk = await startStandIn()
    onTestFinished(() => souk.stop())
    const exported = async () => (await souk.export()).orders
    const orders = await exported()
    await souk.buyer.order({ sku: souk.demo.skus[0] as string })
    expect(await exported()).not.toEqual(orders)
    await souk.reset()
    expect(await exported()).toEqual(orders)
  })

  test('waits for running requests, and new requests wait for it', async () => {
    const [entered, mayEnd] = [deferred(), deferred()]
    const order: string[] = []
    const slow: Routes = (app) =>
      app.get('/slow', { config: { access: 'public' }, schema: { operationId: 'slow' } }, async () => {
        entered.resolve()
        await mayEnd.promise
        order.push('answered')
        return {}
      })
    const souk = await startTestSouk({ extraRoutes: [slow] })
    const answered = souk.get('/slow')
    await entered.promise
    const resets = [1, 2].map(async (count) => {
      await souk.reset()
      order.push(`reset ${count}`)
    })
    const during = souk.get('/_souk/clock').then(({ statusCode }) => order.push(`then ${statusCode}`))
    mayEnd.resolve()
    await Promise.all([answered, ...resets, during])
    expect(order).toEqual(['answered', 'reset 1', 'reset 2', 'then 200'])
  })

  test('changes the time at which the demo marketplace was loaded, and so do a restore and an import', async () => {
    await using souk = await startStandIn()
    const loadedAt = souk.demoLoadedAt
    await souk.snapshot('start')
    const time = new Date('2030-01-01T00:00:00Z')
    await souk.reset({ time })
    expect(souk.demoLoadedAt).toEqual(time)
    const fork = await souk.fork()
    expect(fork.demoLoadedAt).toEqual(time)
    await fork.reset({ time: new Date('2031-01-01T00:00:00Z') })
    expect(fork.demoLoadedAt).toEqual(new Date('2031-01-01T00:00:00Z'))
    await souk.restore('start')
    expect(souk.demoLoadedAt).toEqual(loadedAt)
    await souk.import({ sellers: [] })
    expect(souk.demoLoadedAt).toBeUndefined()
  })

  test('removes a fault rule whose request was running when it began', async () => {
    const souk = await startTestSouk()
    const rule = JSON.stringify({ match: { operations: 'getAccount' }, action: { kind: 'status', status: 503 } })
    const adding = request(`${souk.url}/_souk/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': rule.length, expect: '100-continue' },
    })
    const added = once(adding, 'response') as Promise<[IncomingMessage]>
    adding.flushHeaders()
    await once(adding, 'continue')
    const resetting = souk.reset()
    adding.end(rule)
    const [response] = await added
    expect(response.resume().statusCode).toBe(201)
    await resetting
    expect(await souk.faults.list()).toEqual([])
  })

  test('leaves the requests in the log that waited for it', async () => {
    const [entered, mayEnd] = [deferred(), deferred()]
    const slow: Routes = (app) =>
      app.get('/slow', { config: { access: 'public' }, schema: { operationId: 'slow' } }, async () => {
        entered.resolve()
        await mayEnd.promise
        return {}
      })
    const souk = await startTestSouk({ extraRoutes: [slow] })
    const before = souk.get('/slow')
    await entered.promise
    const resetting = souk.reset()
    const waiting = souk.get('/sellers/v1/account')
    mayEnd.resolve()
    await Promise.all([before, resetting, waiting])
    const { requests } = await souk.requests.list()
    expect(requests.map(({ operation, status }) => [operation, status])).toEqual([['getAccount', 403]])
    const link = new URL((await waiting).headers['x-souk-request-url'] as string)
    expect((await souk.get(link.pathname)).statusCode).toBe(200)
  })

  test('works while another program reads the database file', async () => {
    const database = join(temporaryFolder(), 'souk.db')
    const souk = await startStandIn({ database })
    onTestFinished(() => souk.stop())
    const reader = new Sqlite(database, { readonly: true })
    onTestFinished(() => void reader.close())
    const orders = () => reader.prepare('select count(*) from orders').pluck().get()
    const before = orders()
    for (let times = 0; times < 2; times++) {
      await souk.buyer.order({ sku: 'SOUK-SHOE-001' })
      expect(orders()).toBe(Number(before) + 1)
      await souk.reset()
      expect(orders()).toBe(before)
    }
    await souk.buyer.order({ sku: 'SOUK-SHOE-001' })
    await souk.snapshot('one-more')
    await souk.reset()
    await souk.restore('one-more')
    expect(orders()).toBe(Number(before) + 1)
  })

  test('fails no concurrent request, and background work continues', async () => {
    const souk = await startStandIn({ database: join(temporaryFolder(), 'souk.db'), rates: 'off' })
    onTestFinished(() => souk.stop())
    const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token, marketplaceId } = souk.demo
    const createReport = async () => {
      const grant = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
      const token = await souk.inject({ method: 'POST', url: '/auth/o2/token', payload: grant })
      const report = await souk.inject({
        method: 'POST',
        url: '/reports/2021-06-30/reports',
        headers: { 'x-amz-access-token': token.json().access_token },
        payload: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [marketplaceId] },
      })
      return [token.statusCode, report.statusCode]
    }
    const requests = Array.from({ length: 10 }, createReport)
    const resets = [souk.reset(), souk.reset()]
    requests.push(...Array.from({ length: 10 }, createReport))
    const statuses = (await Promise.all(requests)).flat()
    await Promise.all(resets)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(await createReport()).toEqual([200, 202])
    await souk.idle()
  })

  test.each(['reset', 'fresh'] as const)('%s removes its documents, and no other file of a folder', async (how) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    mkdirSync(join(folder, 'reports'))
    writeFileSync(join(folder, 'reports', '2026.pdf'), 'mine')
    const options = { documents: folder, database: join(folder, 'souk.db') }
    const souk = await startTestSouk(options)
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const payload = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] }
    expect((await souk.post('/reports/2021-06-30/reports', { token, payload })).statusCode).toBe(202)
    await souk.idle()
    expect(readdirSync(join(folder, 'reports'))).toHaveLength(2)

    if (how === 'reset') await souk.reset()
    else {
      await souk.stop()
      await startTestSouk({ ...options, fresh: true })
    }
    expect(readdirSync(join(folder, 'reports'))).toEqual(['2026.pdf'])
    expect(readdirSync(folder)).toContain('notes.txt')
  })
})
