import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FeedsClient, patch } from '../support/feeds.ts'
import { setPrice } from '../support/listings.ts'
import { type Notification, notificationsClient, receive } from '../support/notifications.ts'
import { HOUR, RETURNS_FLAT_FILE, ReportsClient, US } from '../support/reports.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { RobustClient } from './robust-client.ts'

const SKU = 'SOUK-SHOE-001'
const FINISHED = 'REPORT_PROCESSING_FINISHED'
const QUEUE = 'incidents'

describe("a robust client on the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let client: RobustClient
  let feeds: FeedsClient
  const driven = new Set<string>()
  beforeAll(async () => {
    souk = await startTestSouk()
    feeds = new FeedsClient(souk)
    await notificationsClient(souk).listen(QUEUE, FINISHED, { payloadVersion: '2020-09-04' })
  })
  afterEach(async () => {
    await souk.incidents.stopAll()
    await souk.idle()
    souk.clock.advance(HOUR)
    await souk.idle()
    await receive(souk.queueUrl, QUEUE)
  })
  afterAll(async () => {
    const existing = (await souk.incidents.list()).map(({ name }) => name)
    expect([...driven].sort()).toEqual(existing.sort())
  })

  /** Runs while the incident is active, and checks that it has hit something. */
  function incident(name: string, claim: string, run: () => Promise<void>): void {
    driven.add(name)
    test(`${name}: ${claim}`, async () => {
      client = new RobustClient(souk)
      await souk.incidents.start(name)
      await run()
      const rules = (await souk.faults.list()).filter((rule) => rule.incident === name)
      if (rules.length > 0) expect(rules.some(({ hits }) => hits > 0)).toBe(true)
    })
  }

  const quantityFeed = (quantity: number) =>
    feeds.document([
      patch(SKU, {
        op: 'replace',
        path: '/attributes/fulfillment_availability',
        value: [{ fulfillment_channel_code: 'DEFAULT', quantity }],
      }),
    ])
  const patchPrice = async (price: number) =>
    (await client.listings()).patchListingsItem(souk.demo.sellerId, SKU, [US], {
      productType: 'SHOES',
      patches: [setPrice(price)],
    } as never)
  const readPrice = async () => {
    const item = await client.repeat(async () =>
      (await client.listings()).getListingsItem(souk.demo.sellerId, SKU, [US], { includedData: ['offers'] }),
    )
    return (item as unknown as { offers: { price: { amount: string } }[] }).offers[0]?.price.amount
  }
  const finishedReport = async () => {
    const { reportId } = await client.requestReport(RETURNS_FLAT_FILE)
    await souk.idle()
    return reportId
  }
  const received = async () => {
    await souk.idle()
    return (await receive(souk.queueUrl, QUEUE)) as (Notification & {
      eventTime: string
      notificationMetadata: { notificationId: string }
      payload: { reportProcessingFinishedNotification: { reportId: string } }
    })[]
  }
  const reportIdOf = ({ payload }: Awaited<ReturnType<typeof received>>[number]) =>
    payload.reportProcessingFinishedNotification.reportId

  incident(
    'stuck-feed',
    'notices the missed deadline, changes the listing directly, and accepts the late end',
    async () => {
      const feedId = await client.submitFeed(quantityFeed(31))
      const statusOf = async () =>
        (await client.repeat(async () => (await client.feeds()).getFeed(feedId))).processingStatus
      for (let hours = 0; hours < 8; hours++) {
        souk.clock.advance(HOUR)
        await souk.idle()
        client = new RobustClient(souk)
      }
      expect(await statusOf()).toBe('IN_PROGRESS')
      expect(await client.repeat(() => patchPrice(64))).toMatchObject({ status: 'ACCEPTED' })
      expect(await readPrice()).toBe('64.00')
      await souk.incidents.stop('stuck-feed')
      await souk.idle()
      expect(await statusOf()).toBe('DONE')
    },
  )

  incident('stuck-report', 'requests the report once more after its deadline', async () => {
    const { reportId } = await client.requestReport(RETURNS_FLAT_FILE)
    expect((await client.waitForReport(reportId)).processingStatus).toBe('IN_PROGRESS')
    expect((await client.report(RETURNS_FLAT_FILE)).processingStatus).toBe('DONE')
  })

  incident('gzip-lie', 'looks at the content before it decompresses', async () => {
    const report = await client.report(RETURNS_FLAT_FILE)
    expect((await client.reportLink(report)).compressionAlgorithm).toBe('GZIP')
    expect(await client.download(() => client.reportLink(report))).toMatch(/^Order ID\t/)
  })

  incident('notifications-cease', 'finds by polling what it was not notified about', async () => {
    const since = souk.clock.now()
    const reportId = await finishedReport()
    expect(await received()).toEqual([])
    const found = await client.repeat(async () =>
      (await client.reports()).getReports({ reportTypes: [RETURNS_FLAT_FILE], createdSince: since }),
    )
    expect(found.reports.map((report) => report.reportId)).toContain(reportId)
  })

  incident('quota-under-quota', 'waits and repeats until each request has succeeded', async () => {
    for (let count = 0; count < 5; count++) {
      expect(
        await client.repeat(async () => (await client.orders()).getOrders([US], { createdAfter: '2026-01-01' })),
      ).toHaveProperty('payload')
    }
  })

  incident('throttled-without-header', 'has a backoff that needs no header', async () => {
    const headers: (string | undefined)[] = []
    await client.repeat(async () => {
      try {
        return await (await client.reports()).getReports({ reportTypes: [RETURNS_FLAT_FILE] })
      } catch (error) {
        const { response } = error as { response: { headers: Record<string, string> } }
        headers.push(response.headers['x-amzn-ratelimit-limit'])
        throw error
      }
    })
    expect(headers).toEqual([undefined, undefined, undefined])
  })

  incident('cancelled-by-frequency', 'requests the report again after half an hour', async () => {
    const first = await client.requestReport(RETURNS_FLAT_FILE)
    expect((await client.waitForReport(first.reportId)).processingStatus).toBe('CANCELLED')
    const report = await client.report(RETURNS_FLAT_FILE, { pauseMilliseconds: HOUR / 2 })
    expect(report.processingStatus).toBe('DONE')
  })

  incident('accepted-not-listed', 'reads the listing back, and submits again when it is not there', async () => {
    const before = await readPrice()
    expect(await patchPrice(83)).toMatchObject({ status: 'ACCEPTED' })
    expect(await readPrice()).toBe(before)
    await souk.incidents.stop('accepted-not-listed')
    expect(await patchPrice(83)).toMatchObject({ status: 'ACCEPTED' })
    expect(await readPrice()).toBe('83.00')
  })

  incident('queue-policy-missing', 'misses the notification of a report that is done', async () => {
    await finishedReport()
    expect(await received()).toEqual([])
    await souk.incidents.stop('queue-policy-missing')
    souk.clock.advance(HOUR)
    expect(await received()).toHaveLength(1)
  })

  incident('signature-mismatch-content-type', 'gets a new URL and uploads again', async () => {
    const feedId = await client.submitFeed(quantityFeed(32))
    await souk.idle()
    expect((await feeds.feed(feedId)).processingStatus).toBe('DONE')
  })

  incident(
    'lost-answer',
    'finds the report that it has created without a response, and creates no second one',
    async () => {
      souk.clock.advance(HOUR)
      client = new RobustClient(souk)
      const createdSince = souk.clock.now()
      const { reportId } = await client.requestReport(RETURNS_FLAT_FILE)
      const { reports } = await (await client.reports()).getReports({ reportTypes: [RETURNS_FLAT_FILE], createdSince })
      expect(reports.map((report) => report.reportId)).toEqual([reportId])
      // The client asked once.
      expect(await souk.faults.list()).toMatchObject([{ incident: 'lost-answer', calls: 1 }])
    },
  )

  incident('token-expiry-mid-pagination', 'renews its token and continues with the same page', async () => {
    const ids: string[] = []
    let nextToken: string | undefined
    do {
      const filter = {
        createdAfter: '2026-01-01',
        maxResultsPerPage: 20,
        ...(nextToken !== undefined && { nextToken }),
      }
      const { payload } = (await client.repeat(async () =>
        (await client.orders()).getOrders([US], filter),
      )) as unknown as {
        payload: {
          Orders?: { AmazonOrderId: string }[]
          orders?: { amazonOrderId: string }[]
          NextToken?: string
          nextToken?: string
        }
      }
      ids.push(...(payload.Orders ?? []).map(({ AmazonOrderId }) => AmazonOrderId))
      ids.push(...(payload.orders ?? []).map(({ amazonOrderId }) => amazonOrderId))
      nextToken = payload.NextToken ?? payload.nextToken
    } while (nextToken !== undefined && ids.length < 60)
    expect(ids.length).toBeGreaterThanOrEqual(60)
    expect(new Set(ids).size).toBe(ids.length)
  })

  incident('duplicate-notifications', 'processes each notification once', async () => {
    const reportId = await finishedReport()
    const notifications = await received()
    expect(notifications).toHaveLength(10)
    const processed = new Map(notifications.map((one) => [one.notificationMetadata.notificationId, reportIdOf(one)]))
    expect([...processed.values()]).toEqual([reportId])
  })

  incident('reordered-notifications', 'ignores a notification that is older than the last one', async () => {
    const first = await finishedReport()
    souk.clock.advance(1_000)
    const second = await finishedReport()
    const notifications = await received()
    souk.clock.advance(60_000)
    notifications.push(...(await received()))
    expect(notifications.map(reportIdOf)).toEqual([second, first])
    let latest = notifications[0]
    for (const one of notifications) if (latest && one.eventTime > latest.eventTime) latest = one
    expect(latest && reportIdOf(latest)).toBe(second)
  })

  for (const name of ['storage-slow-down', 'expired-download-link', 'truncated-download']) {
    incident(name, 'downloads the document again, with a new link', async () => {
      const report = await client.report(RETURNS_FLAT_FILE)
      const text = await client.download(() => client.reportLink(report))
      await souk.incidents.stop(name)
      expect(text).toBe(await client.download(() => client.reportLink(report)))
      await souk.incidents.start(name)
      await client.download(() => client.reportLink(report))
    })
  }

  incident('report-fatal', 'requests the report again', async () => {
    expect((await client.report(RETURNS_FLAT_FILE)).processingStatus).toBe('DONE')
    expect(
      (await new ReportsClient(souk).reports(`reportTypes=${RETURNS_FLAT_FILE}&processingStatuses=FATAL`)).reports,
    ).toHaveLength(1)
  })

  incident('intermittent-503', 'repeats the request', async () => {
    expect(
      await client.repeat(async () => (await client.reports()).getReports({ reportTypes: [RETURNS_FLAT_FILE] })),
    ).toHaveProperty('reports')
  })

  incident('gateway-timeout', 'finds that the change was made, and does not repeat it', async () => {
    let submissions = 0
    const change = () => {
      submissions++
      return patchPrice(91) as Promise<unknown>
    }
    await client.repeat(change, async () => ((await readPrice()) === '91.00' ? 'made' : undefined))
    expect(await readPrice()).toBe('91.00')
    expect(submissions).toBe(1)
  })
})
