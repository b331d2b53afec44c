import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FAULT_KINDS } from '../../../../src/dev/faults/actions.ts'
import { FaultMatchBody, FaultSettingsBody } from '../../../../src/dev/faults/schema.ts'
import type { FaultSettings } from '../../../../src/index.ts'
import { arnOf, receive, sqs } from '../../../support/notifications.ts'
import { PlainHttp } from '../../../support/plain-http.ts'
import { startTestSouk } from '../../../support/souk.ts'

const ACCOUNT = '/sellers/v1/account'
const REPORTS = '/reports/2021-06-30/reports'
const REPORT_TYPE = 'GET_MERCHANT_LISTINGS_ALL_DATA'
const FINISHED = 'REPORT_PROCESSING_FINISHED'
const QUEUE = 'plain-http'

/** Each action, matcher and selector with plain HTTP requests, as a test in any language sends them. */
describe('over plain HTTP, a fault rule', () => {
  let http: PlainHttp
  beforeAll(async () => {
    http = new PlainHttp(await startTestSouk())
  })
  afterEach(async () => {
    await http.control('DELETE', 'faults')
    await http.idle()
  })

  const driven = { kinds: new Set<string>(), matchers: new Set<string>(), selectors: new Set<string>() }
  async function add(settings: FaultSettings) {
    const rule = await http.addFault(settings)
    driven.kinds.add(settings.action.kind)
    for (const name of Object.keys(settings.match ?? {})) driven.matchers.add(name)
    for (const name of Object.keys(settings)) driven.selectors.add(name)
    return rule
  }
  const hitsOf = async (id: string) => (await http.control<{ hits: number }>('GET', `faults/${id}`)).hits
  const account = () => http.api('GET', ACCOUNT)
  const marketplaceIds = () => [http.demo.marketplaceId]
  const createReport = () =>
    http.api('POST', REPORTS, { body: { reportType: REPORT_TYPE, marketplaceIds: marketplaceIds() } })
  const countReports = async () =>
    (await http.json<{ reports: object[] }>('GET', `${REPORTS}?reportTypes=${REPORT_TYPE}&pageSize=100`)).reports.length
  const reportOf = (reportId: string) => http.json('GET', `${REPORTS}/${reportId}`)
  async function finishReport() {
    const { reportId = '' } = (await (await createReport()).json()) as { reportId: string }
    await http.idle()
    return reportOf(reportId)
  }
  const linkOf = async ({ reportDocumentId }: Record<string, string>) =>
    http.json('GET', `/reports/2021-06-30/documents/${reportDocumentId}`)

  describe('on requests', () => {
    test('responds with a status and the body of the API', async () => {
      await add({ name: 'outage', match: { operations: 'getAccount' }, action: { kind: 'status', status: 503 } })
      const response = await account()
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { errors: [{ code: 'ServiceUnavailable' }] },
      ])
    })

    test.each([
      [40, { milliseconds: 40 }],
      [20, { minMilliseconds: 20, maxMilliseconds: 40 }],
    ])('waits for at least %i ms', async (least, latency) => {
      await add({ action: { kind: 'latency', ...latency }, match: { operations: 'getAccount' } })
      const startedAt = performance.now()
      expect((await account()).status).toBe(200)
      // Timers may be a millisecond early.
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(least - 2)
    })

    test.each([
      ['before', 0],
      ['after', 1],
    ] as const)('closes the connection %s the effect', async (when, effects) => {
      const before = await countReports()
      await add({ match: { operations: 'createReport' }, action: { kind: 'drop', when } })
      await expect(createReport()).rejects.toThrow()
      expect(await countReports()).toBe(before + effects)
    })

    test('cuts a body short', async () => {
      await add({ match: { operations: 'getAccount' }, action: { kind: 'truncate', bytes: 10 } })
      const response = await account()
      await expect(response.text()).rejects.toThrow()
    })

    test.each([
      [true, true],
      [false, false],
    ])('responds with 429, with the header of the rate: %s', async (rateLimitHeader, hasHeader) => {
      await add({ match: { operations: 'getAccount' }, action: { kind: 'throttle', rateLimitHeader } })
      const { status, headers } = await account()
      expect([status, headers.has('x-amzn-ratelimit-limit')]).toEqual([429, hasHeader])
    })

    test('has a token expire now, and a new one is valid', async () => {
      await http.advance(60)
      const token = await http.newToken()
      await add({ match: { operations: 'getAccount' }, action: { kind: 'expireToken' }, count: 1 })
      for (let call = 0; call < 2; call++) expect((await http.api('GET', ACCOUNT, { token })).status).toBe(403)
      expect((await http.api('GET', ACCOUNT, { token: await http.newToken() })).status).toBe(200)
    })

    test('accepts a change of a listing that has no effect', async () => {
      const path = `/listings/2021-08-01/items/${http.demo.sellerId}/SOUK-SHOE-001?marketplaceIds=${marketplaceIds()}`
      const value = [{ fulfillment_channel_code: 'DEFAULT', quantity: 4711 }]
      const patches = [{ op: 'replace', path: '/attributes/fulfillment_availability', value }]
      await add({ match: { operations: ['patchListingsItem'] }, action: { kind: 'ignore' } })
      const accepted = await http.json('PATCH', path, { body: { productType: 'SHOES', patches } })
      expect(accepted).toMatchObject({ status: 'ACCEPTED' })
      await http.idle()
      const item = await http.json('GET', `${path}&includedData=fulfillmentAvailability`)
      expect(JSON.stringify(item)).not.toContain('4711')
    })

    test('has a link expire, S3 ask for less, and a document arrive plain although GZIP was announced', async () => {
      const { url = '', compressionAlgorithm } = await linkOf(await finishReport())
      expect(compressionAlgorithm).toBe('GZIP')
      await add({ action: { kind: 'expiredLink' }, count: 1 })
      const expired = await fetch(url)
      expect([expired.status, await expired.text()]).toEqual([403, expect.stringContaining('<Code>AccessDenied')])
      await add({ action: { kind: 'slowDown' }, count: 1 })
      const slow = await fetch(url)
      expect([slow.status, await slow.text()]).toEqual([503, expect.stringContaining('<Code>SlowDown')])
      const { id } = await add({ action: { kind: 'notCompressed' } })
      expect(await (await fetch(url)).text()).toMatch(/^item-name\t/)
      await http.control('DELETE', `faults/${id}`)
      expect([...new Uint8Array(await (await fetch(url)).arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b])
    })
  })

  test.each([
    ['stuck', { kind: 'stuck' }, 'IN_PROGRESS'],
    ['stuck in the queue', { kind: 'stuck', state: 'IN_QUEUE' }, 'IN_QUEUE'],
    ['FATAL', { kind: 'fatal' }, 'FATAL'],
    ['CANCELLED without data', { kind: 'cancel' }, 'CANCELLED'],
  ] as const)('lets a report be %s', async (_name, action, processingStatus) => {
    const { id } = await add({ match: { operations: 'processReport', sellerId: http.demo.sellerId }, action })
    const report = await finishReport()
    expect(report).toMatchObject({ processingStatus })
    expect(report).not.toHaveProperty('reportDocumentId')
    await http.control('DELETE', `faults/${id}`)
    await http.idle()
    const ended = action.kind === 'stuck' ? 'DONE' : processingStatus
    expect(await reportOf(report.reportId as string)).toMatchObject({ processingStatus: ended })
  })

  describe('on notifications', () => {
    let destinationId: string
    beforeAll(async () => {
      // Not at the time of earlier events.
      await http.advance(1)
      const token = await http.grantlessToken()
      const body = { name: 'Plain', resourceSpecification: sqs(QUEUE) }
      const created = await http.json<{ payload: { destinationId: string } }>(
        'POST',
        '/notifications/v1/destinations',
        { token, body },
      )
      destinationId = created.payload.destinationId
      await http.json('POST', `/notifications/v1/subscriptions/${FINISHED}`, {
        body: { payloadVersion: '2020-09-04', destinationId },
      })
    })
    afterEach(async () => {
      await http.control('DELETE', 'faults')
      await http.advance(86_400)
      await received()
    })
    async function received(): Promise<(string | undefined)[]> {
      await http.idle()
      const messages = await receive(http.queueUrl, QUEUE)
      return messages.map(({ payload }) => {
        return (payload as Record<string, { reportId: string }>).reportProcessingFinishedNotification?.reportId
      })
    }
    const finish = async () => (await finishReport()).reportId

    test('sends one again', async () => {
      const match = { notificationType: FINISHED, destinationId, queueArn: arnOf(QUEUE) }
      await add({ match, action: { kind: 'duplicate', copies: 2 } })
      const reportId = await finish()
      expect(await received()).toEqual([reportId, reportId, reportId])
    })

    test('lets the second overtake the first', async () => {
      await add({ action: { kind: 'reorder', seconds: 30 } })
      const [first, second] = [await finish(), await finish()]
      expect(await received()).toEqual([second])
      await http.advance(30)
      expect(await received()).toEqual([first])
    })

    test('delays one', async () => {
      await add({ action: { kind: 'delay', seconds: 300 } })
      const delayed = await finish()
      await http.advance(299)
      expect(await received()).toEqual([])
      await http.advance(1)
      expect(await received()).toEqual([delayed])
    })

    test('loses them for a while', async () => {
      await add({ action: { kind: 'lose' }, forSeconds: 60 })
      await finish()
      await http.advance(60)
      const after = await finish()
      expect(await received()).toEqual([after])
    })

    test.each(['AccessDenied', 'NonExistentQueue'] as const)('has the queue refuse with %s', async (reason) => {
      const { id } = await add({
        match: { applicationId: http.demo.applicationId },
        action: { kind: 'refuse', reason },
      })
      const refused = await finish()
      expect(await received()).toEqual([])
      await http.control('DELETE', `faults/${id}`)
      await http.advance(3_600)
      expect(await received()).toEqual([refused])
    })
  })

  describe('matches by', () => {
    const about: [matcher: string, value: string, path: string][] = [
      ['sku', 'SKU-A', '/listings/2021-08-01/items/SELLER/SKU-A?marketplaceIds=MARKETPLACE'],
      ['asin', 'B0SOUK0001', '/catalog/2022-04-01/items/B0SOUK0001?marketplaceIds=MARKETPLACE'],
      ['orderId', '902-1111111-1111111', '/orders/v0/orders/902-1111111-1111111'],
      ['reportId', '4711', `${REPORTS}/4711`],
      ['reportType', REPORT_TYPE, `${REPORTS}?reportTypes=${REPORT_TYPE}`],
      ['reportScheduleId', '4711', '/reports/2021-06-30/schedules/4711'],
      ['feedId', '4711', '/feeds/2021-06-30/feeds/4711'],
      ['feedType', 'JSON_LISTINGS_FEED', '/feeds/2021-06-30/feeds?feedTypes=JSON_LISTINGS_FEED'],
      ['documentId', 'doc-4711', '/reports/2021-06-30/documents/doc-4711'],
      ['destinationId', 'd-4711', '/notifications/v1/destinations/d-4711'],
      ['subscriptionId', 's-4711', `/notifications/v1/subscriptions/${FINISHED}/s-4711`],
      ['notificationType', FINISHED, `/notifications/v1/subscriptions/${FINISHED}`],
      ['sellerId', 'SELLER', ACCOUNT],
      ['applicationId', 'APPLICATION', ACCOUNT],
    ]
    const filled = (text: string) =>
      text
        .replace('SELLER', http.demo.sellerId)
        .replace('MARKETPLACE', http.demo.marketplaceId)
        .replace('APPLICATION', http.demo.applicationId)

    test.each(about)('%s', async (matcher, value, path) => {
      const action = { kind: 'status', status: 503 } as const
      const other = await add({ match: { [matcher]: 'another' }, action })
      const own = await add({ match: { [matcher]: filled(value) }, action })
      const needsGrantless = matcher === 'destinationId' || matcher === 'subscriptionId'
      const token = needsGrantless ? { token: await http.grantlessToken() } : {}
      expect((await http.api('GET', filled(path), token)).status).toBe(503)
      expect([await hitsOf(other.id), await hitsOf(own.id)]).toEqual([0, 1])
    })

    test('nextPage, for pages of a list that are not the first', async () => {
      await add({ match: { nextPage: true }, action: { kind: 'status', status: 503 } })
      expect((await http.api('GET', `${REPORTS}?reportTypes=${REPORT_TYPE}`)).status).toBe(200)
      expect((await http.api('GET', `${REPORTS}?nextToken=next`)).status).toBe(503)
    })

    test('clientId, where tokens are requested', async () => {
      const action = { kind: 'status', status: 503 } as const
      await add({ match: { clientId: 'another' }, action })
      expect((await http.requestToken()).status).toBe(200)
      await add({ match: { clientId: http.demo.clientId, operations: 'createToken' }, action })
      expect((await http.requestToken()).status).toBe(503)
    })
  })

  describe('hits', () => {
    const rule = { match: { operations: 'getAccount' }, action: { kind: 'status', status: 503 } } as const
    const statuses = async (calls: number) => {
      const seen: number[] = []
      for (let call = 0; call < calls; call++) seen.push((await account()).status)
      return seen
    }

    test('the nth call, or the first ones', async () => {
      const { id } = await add({ ...rule, nth: 2 })
      expect(await statuses(3)).toEqual([200, 503, 200])
      await http.control('DELETE', `faults/${id}`)
      await add({ ...rule, count: 2 })
      expect(await statuses(3)).toEqual([503, 503, 200])
    })

    test('a percentage of the calls, the same ones with the same seed', async () => {
      const drawn: number[][] = []
      for (const seed of [7, 7, 8]) {
        const { id } = await add({ ...rule, percentage: 50, seed })
        drawn.push(await statuses(30))
        await http.control('DELETE', `faults/${id}`)
      }
      const [first, again, other] = drawn
      expect(again).toEqual(first)
      expect(other).not.toEqual(first)
      expect(new Set(first)).toEqual(new Set([200, 503]))
    })

    test('in a span of the clock', async () => {
      const { now } = await http.control<{ now: string }>('GET', 'clock')
      const at = (seconds: number) => new Date(Date.parse(now) + seconds * 1000).toISOString()
      await add({ ...rule, from: at(60), until: at(120) })
      const seen: number[] = []
      for (let minute = 0; minute < 3; minute++) {
        seen.push(...(await statuses(1)))
        await http.advance(60)
      }
      expect(seen).toEqual([200, 503, 200])
    })

    test('while it is enabled', async () => {
      const { id } = await add({ ...rule, enabled: false })
      expect(await statuses(1)).toEqual([200])
      await http.control('PATCH', `faults/${id}`, { enabled: true })
      expect(await statuses(1)).toEqual([503])
    })
  })

  test('can have every action, matcher and selector that there is', () => {
    expect([...driven.kinds].sort()).toEqual([...FAULT_KINDS].sort())
    expect([...driven.matchers].sort()).toEqual(Object.keys(FaultMatchBody.properties).sort())
    const { properties } = FaultSettingsBody as unknown as { properties: object }
    expect([...driven.selectors].sort()).toEqual(Object.keys(properties).sort())
  })
})
