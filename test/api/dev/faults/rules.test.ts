import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testDialect } from '../../../support/databases.ts'
import { startTestSouk, type TestSouk } from '../../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

describe('fault rules', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk()
  })
  afterEach(() => souk.faults.clear())

  /** The control plane as a client in another language has it. */
  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(`${souk.url}/_souk/faults${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const unavailable = { kind: 'status', status: 503 }
  const drop = { kind: 'drop' }
  const account = async (url = souk.url) => (await fetch(`${url}/definitions/2020-09-01/metaSchema`)).status

  test('are added, read, switched off and on, and removed', async () => {
    const settings = { name: 'outage', match: { operations: ['getProductTypeMetaSchema'] }, action: unavailable }
    const added = await call('POST', '', settings)
    expect(added).toMatchObject({ status: 201, body: { ...settings, enabled: true, calls: 0, hits: 0 } })
    const path = `/${added.body.id}`
    expect(await account()).toBe(503)
    expect(await call('PATCH', path, { enabled: false })).toMatchObject({ status: 200, body: { enabled: false } })
    expect(await account()).toBe(200)
    await call('PATCH', path, { enabled: true })
    expect(await account()).toBe(503)
    expect(await call('GET', '')).toMatchObject({ body: { faults: [{ id: added.body.id, calls: 2, hits: 2 }] } })
    expect(await call('GET', path)).toMatchObject({ status: 200, body: { hits: 2 } })
    expect(await call('DELETE', path)).toEqual({ status: 204, body: undefined })
    expect(await account()).toBe(200)
    for (const method of ['GET', 'DELETE']) expect((await call(method, path)).status).toBe(404)
    expect((await call('PATCH', path, { enabled: true })).status).toBe(404)
  })

  test('are all removed at once', async () => {
    for (let count = 0; count < 3; count++) await call('POST', '', { action: { kind: 'lose' } })
    expect((await call('DELETE', '')).status).toBe(204)
    expect((await call('GET', '')).body).toEqual({ faults: [] })
  })

  test('have a typed client', async () => {
    const { id } = await souk.faults.add({ action: { kind: 'delay', seconds: 5 }, forSeconds: 60 })
    expect(await souk.faults.list()).toEqual([await souk.faults.get(id)])
    expect(await souk.faults.disable(id)).toMatchObject({ enabled: false, until: '2026-06-01T12:01:00.000Z' })
    expect(await souk.faults.enable(id)).toMatchObject({ enabled: true })
    await souk.faults.remove(id)
    await expect(souk.faults.get(id)).rejects.toMatchObject({ status: 404 })
    await expect(souk.faults.add({ action: { kind: 'delay' } as never })).rejects.toMatchObject({ status: 400 })
  })

  test.each([
    ['an unknown field', { action: unavailable, operation: 'getOrders' }, 'operation', /not allowed/],
    ['an unknown action', { action: { kind: 'explode' } }, 'action.kind', /status, latency, drop/],
    ['a missing field', { action: { kind: 'status' } }, 'action.status', /required for status/],
    ['a foreign field', { action: { kind: 'drop', copies: 2 } }, 'action.copies', /takes when/],
    ['an unknown operation', match('getOrder2'), 'match.operations', /Did you mean getOrders?\?.*Possible for status:/],
    ['the control plane', match('listFaults'), 'match.operations', /no operation that can fail/],
    ['the operator API', match('upsertOrders'), 'match.operations', /no operation that can fail/],
    ['a probe', match('getHealth'), 'match.operations', /no operation that can fail/],
    [
      'a plain document of an operation without documents',
      { match: { operations: ['downloadDocument', 'patchListingsItem'] }, action: { kind: 'notCompressed' } },
      'match.operations[1]',
      /not possible. Possible for notCompressed: downloadDocument/,
    ],
    [
      'a stuck request',
      { match: { operations: 'getReport' }, action: { kind: 'stuck' } },
      'match.operations',
      /Possible for stuck: processReport, processFeed/,
    ],
    [
      'a SKU of a report',
      { match: { sku: 'A' }, action: { kind: 'fatal' } },
      'match.sku',
      /only sellerId, reportId, reportType, feedId, feedType/,
    ],
    [
      'a status that the format of errors does not have',
      { match: { operations: 'createToken' }, action: { kind: 'status', status: 404 } },
      'action.status',
      /not possible for createToken. Possible: 400, 401, 429, 500, 503/,
    ],
    [
      'a code of another status',
      { match: { operations: 'getOrders' }, action: { kind: 'status', status: 403, code: 'NotFound' } },
      'action.code',
      /Possible: Unauthorized/,
    ],
    ['a latency without a time', { action: { kind: 'latency' } }, 'action.milliseconds', /minMilliseconds/],
    ['a latency of an hour', { action: { kind: 'latency', milliseconds: 3_600_000 } }, 'action.milliseconds', /60000/],
    [
      'an empty range',
      { action: { kind: 'latency', minMilliseconds: 2, maxMilliseconds: 1 } },
      'action.maxMilliseconds',
      /less than/,
    ],
    ['a SKU of an order', { match: { operations: 'getOrder', sku: 'A' }, action: drop }, 'match.sku', /only .*orderId/],
    [
      'a seller of a request for a token',
      { match: { operations: 'createToken', sellerId: 'A' }, action: drop },
      'match.sellerId',
      /createToken have no sellerId, only clientId/,
    ],
    [
      'an application of a link',
      { match: { operations: 'downloadDocument', applicationId: 'A' }, action: drop },
      'match.applicationId',
      /downloadDocument have no applicationId, only documentId/,
    ],
    [
      'a page of one order',
      { match: { operations: 'getOrder', nextPage: true }, action: drop },
      'match.nextPage',
      /cannot match/,
    ],
    [
      'ids that exclude each other',
      { match: { feedId: '1', reportId: '1' }, action: { kind: 'fatal' } },
      'match.reportId',
      /cannot be combined with feedId/,
    ],
    ['a queue of a request', { match: { queueArn: 'A' }, action: drop }, 'match.queueArn', /cannot match/],
    ['an end in the past', { action: drop, until: '2020-06-01T00:00:00Z' }, 'until', /after the time of the clock/],
    ['no percentage', { action: drop, percentage: 0 }, 'percentage', /0/],
    [
      'a code that no operation has with the status',
      { action: { kind: 'status', status: 404, code: 'Unauthorized' } },
      'action.code',
      /Possible/,
    ],
    ['a percentage above 100', { action: unavailable, percentage: 101 }, 'percentage', /100/],
    [
      'an empty span',
      { action: unavailable, from: '2026-06-01T00:00:00Z', until: '2026-06-01T00:00:00Z' },
      'until',
      /after from/,
    ],
    ['two ends', { action: unavailable, until: '2026-06-01T00:00:00Z', forSeconds: 1 }, 'forSeconds', /until/],
  ])('are refused with the place and the reason: %s', async (_, settings, place, reason) => {
    const { status, body } = await call('POST', '', settings)
    expect(status, JSON.stringify(body)).toBe(400)
    expect(body.errors[0].message).toContain(`[${place}]`)
    expect(body.errors[0].details).toMatch(reason)
    expect(await souk.faults.list()).toEqual([])
  })

  test('are about the operations that have what they match, and for which their action is possible', async () => {
    for (const match of [
      { operations: ['getOrder', 'getListingsItem'], sku: 'A' },
      { operations: 'createToken', clientId: 'A' },
      { operations: 'getOrder', nextPage: false },
      { operations: 'getOrders', nextPage: true, sellerId: 'A', applicationId: 'A' },
      { sku: 'A' },
    ]) {
      expect((await call('POST', '', { match, action: drop })).status, JSON.stringify(match)).toBe(201)
    }
    await call('DELETE', '')
    expect((await call('POST', '', { action: { kind: 'status', status: 404 } })).status).toBe(201)
    const { refreshToken } = souk.demo
    const token = await souk.tokenFor(refreshToken)
    expect((await souk.get('/sellers/v1/marketplaceParticipations', { token })).statusCode).toBe(404)
  })

  function match(operations: string) {
    return { match: { operations }, action: unavailable }
  }

  onSqlite('belong to one marketplace: a fork has none, and has its own', async () => {
    await souk.faults.add({
      match: { operations: 'getProductTypeMetaSchema' },
      action: { kind: 'status', status: 500 },
    })
    await using fork = await souk.fork()
    expect(await fork.faults.list()).toEqual([])
    await fork.faults.add({
      match: { operations: 'getProductTypeMetaSchema' },
      action: { kind: 'status', status: 503 },
    })
    expect(await account()).toBe(500)
    expect(await account(fork.url)).toBe(503)
  })

  onSqlite('are no part of snapshots, and are removed by a reset, which ends running latencies', async () => {
    const { id } = await souk.faults.add({ action: { kind: 'latency', milliseconds: 60_000 } })
    await souk.snapshot('with-a-rule')
    await souk.restore('with-a-rule')
    expect(await souk.faults.list()).toMatchObject([{ id }])
    const slow = account()
    await expect.poll(async () => (await souk.faults.get(id)).hits).toBe(1)
    await souk.reset()
    expect(await slow).toBe(200)
    expect(await souk.faults.list()).toEqual([])
  })

  test('are at most 1,000', async () => {
    for (let count = 0; count < 1_000; count++) await souk.faults.add({ action: { kind: 'lose' } })
    expect((await call('POST', '', { action: { kind: 'lose' } })).body.errors[0].message).toMatch(/1000 fault rules/)
  })
})
