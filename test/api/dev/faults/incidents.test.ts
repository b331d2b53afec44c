import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FEEDS, FeedsClient, HOUR, SECOND } from '../../../support/feeds.ts'
import { startTestSouk, type TestSouk } from '../../../support/souk.ts'

describe('incidents', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk()
  })
  afterEach(() => souk.faults.clear())

  async function call(method: string, path = '', body?: object) {
    const response = await fetch(`${souk.url}/_souk/incidents${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const activeNames = async () => (await souk.incidents.list()).filter(({ active }) => active).map(({ name }) => name)

  test('are listed with a summary, a page and their rules, and are not active before they are started', async () => {
    const { incidents } = (await call('GET')).body
    expect(incidents.length).toBeGreaterThanOrEqual(15)
    expect(incidents[0]).toEqual({
      name: 'stuck-feed',
      summary: expect.any(String),
      page: '/docs/incidents/stuck-feed',
      hasSeller: true,
      active: false,
      faults: [],
    })
  })

  test('can be started for one seller if the list says so', async () => {
    const match = { sellerId: souk.demo.sellerId }
    const incidents = await souk.incidents.list()
    expect(incidents.filter(({ hasSeller }) => !hasSeller).map(({ name }) => name)).toContain('gzip-lie')
    for (const { name, hasSeller } of incidents) {
      expect([name, (await call('POST', `/${name}`, { match })).status]).toEqual([name, hasSeller ? 201 : 400])
    }
  })

  test('are started and stopped in one call, and leave other rules alone', async () => {
    await souk.faults.add({ action: { kind: 'lose' } })
    const started = await call('POST', '/intermittent-503')
    expect(started).toMatchObject({
      status: 201,
      body: { active: true, faults: [{ incident: 'intermittent-503', name: 'intermittent-503', hits: 0 }] },
    })
    await call('POST', '/gzip-lie')
    expect(await activeNames()).toEqual(['gzip-lie', 'intermittent-503'])
    expect((await call('DELETE', '/intermittent-503')).status).toBe(204)
    expect(await activeNames()).toEqual(['gzip-lie'])
    expect((await call('DELETE')).status).toBe(204)
    expect(await activeNames()).toEqual([])
    expect(await souk.faults.list()).toHaveLength(1)
  })

  test('start again with new counts', async () => {
    await call('POST', '/intermittent-503')
    const ask = async () => (await fetch(`${souk.url}/definitions/2020-09-01/metaSchema`)).status
    expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 200])
    await call('POST', '/intermittent-503')
    expect(await ask()).toBe(503)
    expect(await souk.faults.list()).toHaveLength(1)
  })

  test('that are started twice at the same time begin once', async () => {
    await Promise.all([call('POST', '/stuck-feed'), call('POST', '/stuck-feed'), call('POST', '/stuck-feed')])
    expect(await souk.faults.list()).toHaveLength(1)
  })

  test('are active until their time is over or their rules are used up', async () => {
    await call('POST', '/gzip-lie', { forSeconds: 600 })
    await call('POST', '/intermittent-503')
    souk.clock.advance(599_000)
    expect(await activeNames()).toEqual(['gzip-lie', 'intermittent-503'])
    souk.clock.advance(1_000)
    expect(await activeNames()).toEqual(['intermittent-503'])
    for (let count = 0; count < 2; count++) await fetch(`${souk.url}/definitions/2020-09-01/metaSchema`)
    expect(await activeNames()).toEqual([])
    const over = (await souk.incidents.list()).find(({ name }) => name === 'intermittent-503')
    expect(over?.faults).toMatchObject([{ hits: 2 }])
  })

  test('are active while a report is stuck', async () => {
    await call('POST', '/stuck-report')
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const payload = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [souk.demo.marketplaceId] }
    await souk.post('/reports/2021-06-30/reports', { token, payload })
    await expect.poll(async () => (await souk.faults.list())[0]?.hits).toBe(1)
    expect(await activeNames()).toEqual(['stuck-report'])
  })

  test('are about the next feed if the seller cancels one before it is stuck', async () => {
    const slow = await startTestSouk({ delay: SECOND })
    const incident = async () => (await slow.incidents.list()).find(({ name }) => name === 'stuck-feed')
    const feeds = new FeedsClient(slow)
    await slow.incidents.start('stuck-feed')
    const canceled = await feeds.submitted(feeds.document([]))
    expect((await feeds.delete(`${FEEDS}/${canceled}`)).statusCode).toBe(200)
    for (let checks = 0; checks < 2; checks++) {
      slow.clock.advance(5 * SECOND)
      await slow.idle()
    }
    expect(await incident()).toMatchObject({ active: true, faults: [{ calls: 0, hits: 0 }] })
    const stuck = await feeds.submitted(feeds.document([]))
    slow.clock.advance(HOUR)
    await slow.idle()
    expect((await feeds.feed(stuck)).processingStatus).toBe('IN_PROGRESS')
    expect(await incident()).toMatchObject({ active: true, faults: [{ calls: 1, hits: 1 }] })
  })

  test('that do not fit beside other rules stay as they were', async () => {
    const { body } = await call('POST', '/intermittent-503')
    for (let count = 0; count < 999; count++) await souk.faults.add({ action: { kind: 'lose' } })
    const refused = await call('POST', '/gzip-lie')
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ message: expect.stringContaining('1000') }] } })
    expect(await activeNames()).toEqual(['intermittent-503'])
    const again = await call('POST', '/intermittent-503')
    expect(again.status).toBe(201)
    expect(again.body.faults[0].id).not.toBe(body.faults[0].id)
  })

  test('can be narrowed to a seller, and limited in time', async () => {
    const settings = { match: { sellerId: 'ANOTHER' }, forSeconds: 600 }
    const { body } = await call('POST', '/gateway-timeout', settings)
    expect(body.faults[0]).toMatchObject({
      match: { operations: expect.arrayContaining(['createReport']), sellerId: 'ANOTHER' },
      until: new Date(souk.clock.now().getTime() + 600_000).toISOString(),
    })
  })

  test('are refused with the reason: an unknown name, a match that is not possible, an unknown field', async () => {
    expect(await call('POST', '/stuck-feeds')).toMatchObject({
      status: 404,
      body: { errors: [{ details: 'Did you mean stuck-feed?' }] },
    })
    expect((await call('DELETE', '/constructor')).status).toBe(404)
    const impossible = await call('POST', '/stuck-feed', { match: { sku: 'A' } })
    expect(impossible).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('[match.sku]') }] },
    })
    expect((await call('POST', '/stuck-feed', { seller: 'A' })).status).toBe(400)
    expect(await souk.faults.list()).toEqual([])
  })
})
