import { gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultSettings } from '../../../../src/index.ts'
import { testDialect } from '../../../support/databases.ts'
import { addFault } from '../../../support/faults.ts'
import { upload } from '../../../support/feeds.ts'
import { RETURNS_FLAT_FILE, ReportsClient } from '../../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

describe('a fault rule on requests', () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
  })
  afterEach(() => souk.faults.clear())

  const add = (settings: FaultSettings) => addFault(souk, settings)
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(souk.url + path, { ...init, headers: { 'x-amz-access-token': token, ...init.headers } })
  const ACCOUNT = '/sellers/v1/account'
  const hitsOf = async (id: string) => (await souk.faults.get(id)).hits
  const itemPath = (sku: string) =>
    `/listings/2021-08-01/items/${souk.demo.sellerId}/${sku}?marketplaceIds=${souk.demo.marketplaceId}`
  const priceOf = async (sku: string) => {
    const item = (await (await ask(`${itemPath(sku)}&includedData=offers`)).json()) as {
      offers: { price: { amount: string } }[]
    }
    return item.offers[0]?.price.amount
  }
  const setPrice = (sku: string, price: number, signal?: AbortSignal) =>
    ask(itemPath(sku), {
      method: 'PATCH',
      ...(signal && { signal }),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        productType: 'SHOES',
        patches: [
          {
            op: 'replace',
            path: '/attributes/purchasable_offer',
            value: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: price }] }] }],
          },
        ],
      }),
    })
  const tokenRequest = () =>
    fetch(`${souk.url}/auth/o2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: souk.demo.refreshToken,
        client_id: souk.demo.clientId,
        client_secret: souk.demo.clientSecret,
      }),
    })
  const documentUrl = async () => {
    const reports = new ReportsClient(souk)
    const { reportDocumentId = '' } = await reports.finished({ reportType: RETURNS_FLAT_FILE })
    const response = await ask(`/reports/2021-06-30/documents/${reportDocumentId}`)
    return { reportDocumentId, ...((await response.json()) as { url: string; compressionAlgorithm: string }) }
  }

  test('responds with the status in the format of the API, and counts its hits', async () => {
    const { id } = await add({ match: { operations: 'getAccount' }, action: { kind: 'status', status: 503 }, count: 2 })
    for (let call = 0; call < 2; call++) {
      const response = await ask(ACCOUNT)
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ errors: [{ code: 'ServiceUnavailable' }] })
      expect(decodeURIComponent(response.headers.get('x-souk-reason') ?? '')).toContain(`Fault rule ${id}`)
    }
    expect((await ask(ACCOUNT)).status).toBe(200)
    expect(await souk.faults.get(id)).toMatchObject({ calls: 3, hits: 2 })
  })

  test("responds in the token endpoint's own format", async () => {
    await add({ match: { operations: 'createToken' }, action: { kind: 'status', status: 503 } })
    const response = await tokenRequest()
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
  })

  test('responds as a gateway does, without the errors of the API', async () => {
    await add({ match: { operations: 'getAccount' }, action: { kind: 'status', status: 504 } })
    const response = await ask(ACCOUNT)
    expect(response.status).toBe(504)
    expect(await response.json()).toEqual({ message: 'Endpoint request timed out' })
    const logged = await (await fetch(response.headers.get('x-souk-request-url') ?? '')).json()
    expect(logged).toMatchObject({
      explanation: { rule: expect.stringContaining('Fault rule'), facts: { action: { status: 504 } } },
    })
  })

  test('hits only the seller, the application and the SKU that it names', async () => {
    const status = { kind: 'status', status: 500 } as const
    await add({ match: { sku: 'SOUK-SHOE-001', sellerId: souk.demo.sellerId }, action: status })
    await add({ match: { applicationId: 'another-app' }, action: status })
    expect((await ask(itemPath('SOUK-SHOE-001'))).status).toBe(500)
    expect((await ask(itemPath('SOUK-SHOE-002'))).status).toBe(200)
    expect((await ask(ACCOUNT)).status).toBe(200)
  })

  test('with `after`, responds with an error although the write has happened', async () => {
    const action = { kind: 'status', status: 500, when: 'after' } as const
    await add({ match: { operations: 'patchListingsItem' }, action, count: 1 })
    expect((await setPrice('SOUK-SHOE-001', 61.5)).status).toBe(500)
    expect(await priceOf('SOUK-SHOE-001')).toBe('61.50')
  })

  test('drops the connection before the effect, or after it', async () => {
    const match = { operations: 'patchListingsItem' }
    await setPrice('SOUK-SHOE-001', 70)
    const { id } = await add({ match, action: { kind: 'drop' } })
    await expect(setPrice('SOUK-SHOE-001', 71)).rejects.toThrow(/fetch failed/)
    await souk.faults.remove(id)
    expect(await priceOf('SOUK-SHOE-001')).toBe('70.00')
    await add({ match, action: { kind: 'drop', when: 'after' } })
    await expect(setPrice('SOUK-SHOE-001', 72)).rejects.toThrow(/fetch failed/)
    expect(await priceOf('SOUK-SHOE-001')).toBe('72.00')
  })

  test('a dropped response is in the request log without a status, before the effect and after it', async () => {
    await souk.requests.clear()
    const match = { operations: 'patchListingsItem' }
    await add({ match, action: { kind: 'drop' }, count: 1 })
    await expect(setPrice('SOUK-SHOE-001', 73)).rejects.toThrow(/fetch failed/)
    await add({ match, action: { kind: 'drop', when: 'after' }, count: 1 })
    await expect(setPrice('SOUK-SHOE-001', 74)).rejects.toThrow(/fetch failed/)
    await setPrice('SOUK-SHOE-001', 75)
    const { requests } = await souk.requests.list({ operation: 'patchListingsItem' })
    expect(requests.map(({ status, outcome }) => [status, outcome])).toEqual([
      [200, 'completed'],
      [undefined, 'clientGone'],
      [undefined, 'clientGone'],
    ])
    for (const { id } of requests.slice(1)) expect(await souk.requests.get(id)).not.toHaveProperty('response')
    await souk.verify({ operation: 'patchListingsItem', status: '2xx', count: { exactly: 1 } })
  })

  test('cuts a body short, so that a client reads less than was announced', async () => {
    await add({ match: { operations: 'getAccount' }, action: { kind: 'truncate', bytes: 10 } })
    const response = await ask(ACCOUNT)
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(10)
    await expect(response.text()).rejects.toThrow(/terminated/)
  })

  test('leaves the whole body of a response that it cuts short in the request log', async () => {
    await souk.requests.clear()
    await add({ match: { operations: 'getAccount' }, action: { kind: 'truncate', bytes: 10 } })
    const response = await ask(ACCOUNT)
    await expect(response.text()).rejects.toThrow(/terminated/)
    const { log } = (await (await fetch(`${souk.url}/_souk/requests.har`)).json()) as {
      log: { entries: { response: { content: { text: string } } }[] }
    }
    expect(log.entries[0]?.response.content.text).toHaveLength(Number(response.headers.get('content-length')))
  })

  test('cuts the download of a document short', async () => {
    const { url } = await documentUrl()
    await add({ match: { operations: 'downloadDocument' }, action: { kind: 'truncate' } })
    await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow(/terminated/)
  })

  test('throttles a client below its quota, with and without the header', async () => {
    const { id } = await add({ match: { operations: 'getAccount' }, action: { kind: 'throttle' } })
    const throttled = await ask(ACCOUNT)
    expect(throttled.status).toBe(429)
    expect(throttled.headers.get('x-amzn-ratelimit-limit')).toMatch(/^[\d.]+$/)
    expect(await throttled.json()).toMatchObject({ errors: [{ code: 'QuotaExceeded' }] })
    await souk.faults.remove(id)
    await add({ match: { operations: 'getAccount' }, action: { kind: 'throttle', rateLimitHeader: false } })
    expect((await ask(ACCOUNT)).headers.get('x-amzn-ratelimit-limit')).toBeNull()
  })

  test('has the token of a request expire, also for other operations', async () => {
    const used = await souk.tokenFor(souk.demo.refreshToken)
    await add({ match: { operations: 'getAccount' }, action: { kind: 'expireToken' }, count: 1 })
    const headers = { 'x-amz-access-token': used }
    const refused = await ask(ACCOUNT, { headers })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('The access token has expired.')
    expect((await ask('/sellers/v1/marketplaceParticipations', { headers })).status).toBe(403)
    // Also at once, although a repeated request otherwise gets the same token.
    token = await souk.tokenFor(souk.demo.refreshToken)
    expect((await ask(ACCOUNT)).status).toBe(200)
  })

  test('accepts a listing and does nothing, but still refuses an invalid one', async () => {
    await setPrice('SOUK-SHOE-001', 80)
    await add({ match: { operations: ['putListingsItem', 'patchListingsItem'] }, action: { kind: 'ignore' } })
    const accepted = await setPrice('SOUK-SHOE-001', 81)
    expect(await accepted.json()).toMatchObject({ status: 'ACCEPTED', submissionId: expect.any(String) })
    expect(await priceOf('SOUK-SHOE-001')).toBe('80.00')
    expect(await (await setPrice('SOUK-SHOE-001', -1)).json()).toMatchObject({ status: 'INVALID' })
  })

  test('has the links of documents expire, and S3 ask for less, in the format of S3', async () => {
    const { url, reportDocumentId } = await documentUrl()
    const { id } = await add({ match: { documentId: reportDocumentId }, action: { kind: 'expiredLink' } })
    const expired = await fetch(url)
    expect(expired.status).toBe(403)
    expect(await expired.text()).toMatch(/<Code>AccessDenied<\/Code>.*expired/)
    await souk.faults.remove(id)
    await add({ action: { kind: 'slowDown' }, count: 1 })
    const slow = await fetch(url)
    expect(slow.status).toBe(503)
    expect(await slow.text()).toContain('<Code>SlowDown</Code>')
    expect((await fetch(url)).status).toBe(200)
    await add({ match: { operations: 'downloadDocument' }, action: { kind: 'status', status: 503, when: 'after' } })
    const instead = await fetch(url, { headers: { range: 'bytes=0-9' } })
    expect(await instead.text()).toContain('<Code>SlowDown</Code>')
    for (const name of ['etag', 'accept-ranges', 'content-range']) expect(instead.headers.has(name), name).toBe(false)
  })

  test('does not hit the downloads of the console, which use up no hits', async () => {
    const { url } = await documentUrl()
    const { id } = await add({ action: { kind: 'expiredLink' }, count: 1 })
    const opened = await fetch(url, { headers: { 'x-souk-console': '1', 'x-souk-seller': souk.demo.sellerId } })
    expect([opened.status, await hitsOf(id)]).toEqual([200, 0])
    expect((await fetch(url)).status).toBe(403)
  })

  test('hits an upload once, and then lets it pass', async () => {
    const created = await ask('/feeds/2021-06-30/documents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contentType: 'text/xml' }),
    })
    const { url } = (await created.json()) as { url: string }
    const { id } = await add({ match: { operations: 'uploadDocument' }, action: { kind: 'slowDown' }, count: 1 })
    expect(await upload(url, '<a/>', 'text/xml')).toMatchObject({ status: 503, code: 'SlowDown' })
    expect(await upload(url, '<a/>', 'text/xml')).toMatchObject({ status: 200 })
    expect(await souk.faults.get(id)).toMatchObject({ calls: 2, hits: 1 })
  })

  test('sends a plain document although GZIP was announced', async () => {
    const { url, compressionAlgorithm } = await documentUrl()
    expect(compressionAlgorithm).toBe('GZIP')
    const compressed = Buffer.from(await (await fetch(url)).arrayBuffer())
    await add({ match: { operations: 'downloadDocument' }, action: { kind: 'notCompressed' } })
    const plain = Buffer.from(await (await fetch(url, { headers: { range: 'bytes=0-9' } })).arrayBuffer())
    expect(plain.toString()).toBe(gunzipSync(compressed).toString())
    const { requests } = await souk.requests.list({ operation: 'downloadDocument', limit: 1 })
    const { request } = await souk.requests.get(requests[0]?.id as string)
    expect(request.headers).toMatchObject({ range: 'bytes=0-9' })
  })

  test('delays a response in real time, until the client leaves or the rule is removed', async () => {
    const latency = { kind: 'latency', milliseconds: 60_000 } as const
    const { id } = await add({ match: { operations: 'getAccount' }, action: latency })
    const leaving = new AbortController()
    const left = ask(ACCOUNT, { signal: leaving.signal })
    await expect.poll(() => hitsOf(id)).toBe(1)
    leaving.abort()
    await expect(left).rejects.toThrow(/abort/)
    const waiting = ask(ACCOUNT)
    await expect.poll(() => hitsOf(id)).toBe(2)
    await souk.faults.remove(id)
    expect((await waiting).status).toBe(200)
  })

  describe('with a second latency', () => {
    const addTwo = async (operations: string) => {
      const settings = { match: { operations }, action: { kind: 'latency', milliseconds: 60_000 } } as const
      return [(await add(settings)).id, (await add(settings)).id] as const
    }

    test('still continues when the rules are removed', async () => {
      const [, second] = await addTwo('getAccount')
      const waiting = ask(ACCOUNT)
      await expect.poll(() => hitsOf(second)).toBe(1)
      await souk.faults.clear()
      expect((await waiting).status).toBe(200)
    })

    test('still continues when the client leaves', async () => {
      await setPrice('SOUK-SHOE-001', 90)
      const [, second] = await addTwo('patchListingsItem')
      const leaving = new AbortController()
      const left = setPrice('SOUK-SHOE-001', 91, leaving.signal)
      await expect.poll(() => hitsOf(second)).toBe(1)
      leaving.abort()
      await expect(left).rejects.toThrow(/abort/)
      await expect.poll(() => priceOf('SOUK-SHOE-001')).toBe('91.00')
    })
  })

  onSqlite('does not delay a snapshot, a fork and a stop by its latency', async () => {
    const latency = { kind: 'latency', milliseconds: 60_000 } as const
    const { id } = await add({ match: { operations: 'getAccount' }, action: latency })
    const waiting = ask(ACCOUNT)
    await expect.poll(() => hitsOf(id)).toBe(1)
    const snapshot = await ask('/_souk/snapshots', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'during-latency' }),
    })
    expect(snapshot.status).toBe(201)
    expect((await waiting).status).toBe(200)
    const next = ask(ACCOUNT)
    await expect.poll(() => hitsOf(id)).toBe(2)
    const fork = await souk.fork()
    expect((await next).status).toBe(200)
    const operations = 'getProductTypeMetaSchema'
    const inFork = await addFault(fork, { match: { operations }, action: latency })
    const last = fetch(`${fork.url}/definitions/2020-09-01/metaSchema`)
    await expect.poll(async () => (await fork.faults.get(inFork.id)).hits).toBe(1)
    await fork.stop()
    expect((await last).status).toBe(200)
  })

  test('with a range, delays by a random time of that range', async () => {
    const action = { kind: 'latency', minMilliseconds: 20, maxMilliseconds: 30 } as const
    await add({ match: { operations: 'getAccount' }, action })
    const start = performance.now()
    expect((await ask(ACCOUNT)).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(19)
  })

  test('applies in its span of the clock only', async () => {
    await add({ match: { operations: 'getAccount' }, action: { kind: 'status', status: 500 }, forSeconds: 60 })
    expect((await ask(ACCOUNT)).status).toBe(500)
    souk.clock.advance(60_000)
    expect((await ask(ACCOUNT)).status).toBe(200)
  })

  test('without operations, hits only those that its action is possible for', async () => {
    const { url } = await documentUrl()
    const throttle = await add({ action: { kind: 'throttle' } })
    const plain = await add({ action: { kind: 'notCompressed' } })
    const expired = await add({ action: { kind: 'expireToken' } })
    expect((await tokenRequest()).status).toBe(200)
    expect((await fetch(url)).status).toBe(200)
    expect((await ask(ACCOUNT)).status).toBe(429)
    expect(await Promise.all([throttle, plain, expired].map(({ id }) => hitsOf(id)))).toEqual([1, 1, 0])
  })

  test('never hits the control plane, the probes, the operator API and the documentation', async () => {
    const { id } = await add({ action: { kind: 'drop' } })
    for (const path of ['/_souk/clock', '/_souk/faults', '/healthz', '/readyz', '/metrics']) {
      expect((await ask(path)).status, path).toBe(200)
    }
    const headers = { authorization: `Bearer ${souk.demo.operatorKey}` }
    expect((await ask('/operator/v1/sellers', { headers })).status).toBe(200)
    expect(await hitsOf(id)).toBe(0)
    await expect(ask(ACCOUNT)).rejects.toThrow(/fetch failed/)
  })
})
