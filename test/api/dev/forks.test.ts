import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SequentialIds, type Souk } from '../../../src/index.ts'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { testDialect } from '../../support/databases.ts'
import { notificationsClient } from '../../support/notifications.ts'
import { startTestSouk } from '../../support/souk.ts'
import { requestSecurely } from '../../support/tls.ts'

const ACTION = 'productReviewAndSellerFeedback'
const API_HOST = 'sellingpartnerapi-na.amazon.com'
const ROUNDS = Array.from({ length: 15 }, (_, round) => round)

async function tokenOf({ url, demo }: Pick<Souk, 'url' | 'demo'>): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token } = demo
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
  const response = await fetch(`${url}/auth/o2/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Creates a report, and returns how to read the status of its download. */
async function createDocument(souk: Souk): Promise<() => Promise<number>> {
  const headers = { 'x-amz-access-token': await tokenOf(souk), 'content-type': 'application/json' }
  const reports = `${souk.url}/reports/2021-06-30`
  const send = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(`${reports}/${path}`, { headers, ...init })).json()) as Record<string, string>
  const body = JSON.stringify({
    reportType: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
    marketplaceIds: [souk.demo.marketplaceId],
  })
  const { reportId } = await send('reports', { method: 'POST', body })
  await souk.idle()
  const { reportDocumentId } = await send(`reports/${reportId}`)
  const { url } = await send(`documents/${reportDocumentId}`)
  return async () => (await fetch(String(url))).status
}

const requestNumber = (response: Response) => response.headers.get('x-amzn-requestid')

describe.skipIf(testDialect === 'postgres')('forks that serve requests at the same time', () => {
  test('write orders, documents and messages that the others do not have', async () => {
    const souk = await startTestSouk()
    await notificationsClient(souk).listen('shared', 'ORDER_CHANGE')
    const all: Souk[] = [souk, await souk.fork(), await souk.fork(), await souk.fork()]
    const written = await Promise.all(
      all.map(async (one, index) => {
        await one.clock.advance(index * 60_000)
        const orders = Array.from({ length: 1 + (index % 3) }, () => one.buyer.order({ sku: 'SOUK-SHOE-001' }))
        const [document, ...placed] = await Promise.all([createDocument(one), ...orders])
        await one.idle()
        return { one, document, orderIds: placed.map(({ orderId }) => orderId) }
      }),
    )
    const allIds = written.flatMap(({ orderIds }) => orderIds)
    expect(new Set(allIds).size).toBe(1 + 2 + 3 + 1)
    for (const [index, { one, document, orderIds }] of written.entries()) {
      expect(await document()).toBe(200)
      expect(one.clock.now().getTime() - souk.clock.now().getTime()).toBe(index * 60_000)
      const headers = { 'x-amz-access-token': await tokenOf(one) }
      const found = await Promise.all(
        allIds.map(async (id) => ((await fetch(`${one.url}/orders/v0/orders/${id}`, { headers })).ok ? [id] : [])),
      )
      expect(found.flat()).toEqual(orderIds)
      const { messages } = await one.queues.messages('shared')
      const notified = new Set(messages.flatMap(({ body }) => allIds.filter((id) => body.includes(id))))
      expect([...notified].sort()).toEqual([...orderIds].sort())
    }
  })

  test('have readings, faults, clocks, quotas, request ids, request logs and metrics of their own', async () => {
    const souk = await startTestSouk({ rates: 'documented' })
    const failing = await souk.fork()
    const reading = await souk.fork()
    await reading.clock.advance(86_400_000)
    const moved = await reading.fork()
    await failing.faults.add({ match: { operations: 'getAccount' }, action: { kind: 'status', status: 500 } })
    reading.readings.change({ repeatSolicitation: 400 })
    await moved.clock.advance(3_600_000)

    const solicitTwice = 403
    const expected = [
      { souk: souk as Souk, account: 200, repeat: solicitTwice, hours: 0 },
      { souk: failing, account: 500, repeat: solicitTwice, hours: 0 },
      { souk: reading, account: 200, repeat: 400, hours: 24 },
      { souk: moved, account: 200, repeat: solicitTwice, hours: 25 },
    ]
    await Promise.all(
      expected.map(async ({ souk: one, account, repeat, hours }) => {
        const token = await tokenOf(one)
        const headers = { 'x-amz-access-token': token }
        const repeatPath = `/solicitations/v1/orders/${one.demo.orders.alreadySolicited}/solicitations/${ACTION}`
        const responses = await Promise.all(
          ROUNDS.map(async (round) => {
            const accountResponse = await fetch(`${one.url}/sellers/v1/account?round=${round}`, { headers })
            return { status: accountResponse.status, id: requestNumber(accountResponse) }
          }),
        )
        // The burst of this operation is 15, for each marketplace.
        expect(responses.map(({ status }) => status)).toEqual(ROUNDS.map(() => account))
        expect(new Set(responses.map(({ id }) => id)).size).toBe(ROUNDS.length)
        const repeated = await fetch(`${one.url}${repeatPath}?marketplaceIds=${one.demo.marketplaceId}`, {
          method: 'POST',
          headers,
        })
        expect(repeated.status).toBe(repeat)
        const clock = (await (await fetch(`${one.url}/_souk/clock`)).json()) as { now: string }
        expect(new Date(clock.now).getTime() - souk.clock.now().getTime()).toBe(hours * 3_600_000)
        const { requests } = await one.requests.list({ operation: 'getAccount' })
        expect(requests.map(({ status }) => status)).toEqual(ROUNDS.map(() => account))
        const metrics = await (await fetch(`${one.url}/metrics`)).text()
        expect(metrics.match(/souk_requests_total\{operation="getAccount".*/g)).toEqual([
          `souk_requests_total{operation="getAccount",status="${account}"} ${ROUNDS.length}`,
        ])
      }),
    )
  })

  test('begin with the application of their parent as it was changed, under credentials of their own', async () => {
    const souk = await startTestSouk()
    const { applicationId, sellerId } = souk.demo
    const changed = { applicationId, name: 'Renamed', roles: [], redirectUris: ['https://shop.example/callback'] }
    const put = await souk.put('/operator/v1/applications', {
      headers: souk.operator,
      payload: { applications: [changed] },
    })
    expect(put.statusCode).toBe(200)
    const token = await tokenOf(souk)

    const fork = await souk.fork()
    const readApplication = async ({ url, demo }: Souk) => {
      const headers = { authorization: `Bearer ${demo.operatorKey}` }
      return (await fetch(`${url}/operator/v1/applications/${applicationId}`, { headers })).json()
    }
    expect(await readApplication(fork)).toEqual(await readApplication(souk))
    const readAccount = async (accessToken: string) =>
      (await fetch(`${fork.url}/sellers/v1/account`, { headers: { 'x-amz-access-token': accessToken } })).status
    expect([await readAccount(token), await readAccount(await tokenOf(fork))]).toEqual([403, 200])

    const authorization = `/operator/v1/authorizations/${sellerId}/${applicationId}`
    expect((await souk.delete(authorization, { headers: souk.operator })).statusCode).toBe(200)
    const withoutSeller = await souk.fork()
    expect(await tokenOf(withoutSeller)).toBeUndefined()
    const { refreshToken } = withoutSeller.demo.otherSeller
    expect(await tokenOf({ ...withoutSeller, demo: { ...withoutSeller.demo, refreshToken } })).toMatch(/^Atza/)
  })

  test('have documents, snapshots and credentials of their own, also with ids that count', async () => {
    const souk = await startTestSouk({ ids: new SequentialIds() })
    const [one, other] = [await souk.fork(), await souk.fork()]
    const forkOfFork = await other.fork()
    const all = [souk, one, other, forkOfFork]
    const downloads: (() => Promise<number>)[] = []
    for (const each of all) downloads.push(await createDocument(each))
    const statuses = () => Promise.all(downloads.map((download) => download()))
    expect(await statuses()).toEqual([200, 200, 200, 200])

    for (const secret of ['clientSecret', 'refreshToken', 'operatorKey'] as const)
      expect(new Set(all.map(({ demo }) => demo[secret])).size).toBe(all.length)
    expect(new Set(await Promise.all(all.map(tokenOf))).size).toBe(all.length)

    await one.snapshot('own')
    await expect(other.restore('own')).rejects.toThrow('There is no snapshot own.')
    await one.reset()
    expect(await statuses()).toEqual([200, 404, 200, 200])
    await one.stop()
    await other.snapshot('later')
    expect(await Promise.all(downloads.toSpliced(1, 1).map((download) => download()))).toEqual([200, 200, 200])
  })

  test('stop with requests under way without a loss, and without a word from the others', async () => {
    const souk = await startTestSouk()
    const [stopping, staying] = [await souk.fork(), await souk.fork()]
    const path = '/definitions/2020-09-01/metaSchema'
    const slow = { kind: 'latency', milliseconds: 60_000 } as const
    const match = { operations: 'getProductTypeMetaSchema' }
    const { id } = await stopping.faults.add({ match, action: slow })
    const open = fetch(stopping.url + path)
    await expect.poll(async () => (await stopping.faults.get(id)).hits).toBe(1)
    await stopping.stop()
    expect((await open).status).toBe(200)
    await expect(fetch(stopping.url + path)).rejects.toThrow('fetch failed')
    expect((await fetch(staying.url + path)).headers.get('connection')).toBe('keep-alive')
    expect((await fetch(`${souk.url}/readyz`)).status).toBe(200)
  })

  test('stop with their parent, forks of forks too', async () => {
    const souk = await startStandIn({ demo: false })
    const fork = await souk.fork()
    const forkOfFork = await fork.fork()
    const urls = [souk, fork, forkOfFork].map(({ url }) => `${url}/healthz`)
    for (const url of urls) expect((await fetch(url)).status).toBe(200)
    await souk.stop()
    for (const url of urls) await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  test('serve TLS and the hosts of the vendor, with links to their own documents', async () => {
    const souk = await startTestSouk({ tls: true })
    const forks = [await souk.fork(), await souk.fork()]
    await Promise.all(
      forks.map(async (fork) => {
        const { certificate: ca } = await fork.localAuthority()
        const token = await tokenOf(fork)
        const path = '/feeds/2021-06-30/documents'
        const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' }
        const create = { method: 'POST', body: JSON.stringify({ contentType: 'text/xml; charset=UTF-8' }) }
        const securely = await requestSecurely(fork.tlsUrl + path, { host: API_HOST, ca, headers, ...create })
        expect(JSON.parse(securely.body).url).toMatch(/^https:\/\/souk-documents\.s3\.us-east-1\.amazonaws\.com\//)
        const plain = await fetch(fork.url + path, { headers, ...create })
        expect(((await plain.json()) as { url: string }).url).toContain(fork.url)
      }),
    )
  })
})

test('marketplaces of a process that require signatures do not make others require them', async () => {
  const [signed, unsigned] = [await startTestSouk({ signing: { required: true } }), await startTestSouk()]
  const status = async (souk: typeof signed) => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    return (await souk.get('/feeds/2021-06-30/feeds/1', { token })).statusCode
  }
  expect([await status(signed), await status(unsigned), await status(signed)]).toEqual([403, 404, 403])
})

test.skipIf(testDialect === 'postgres')('a fork builds no framework of its own', async () => {
  const souk = await startTestSouk()
  let built = 0
  const count = () => built++
  subscribe('fastify.initialization', count)
  onTestFinished(() => void unsubscribe('fastify.initialization', count))
  const fork = await souk.fork()
  expect((await fetch(`${fork.url}/healthz`)).status).toBe(200)
  expect(built).toBe(0)
})
