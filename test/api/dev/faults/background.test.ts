import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testDialect } from '../../../support/databases.ts'
import { addFault } from '../../../support/faults.ts'
import { FeedsClient, patch } from '../../../support/feeds.ts'
import { arnOf, notificationsClient, receive } from '../../../support/notifications.ts'
import { HOUR, ReportsClient, SECOND } from '../../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../../support/souk.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

describe('a fault rule on background work', () => {
  let souk: TestSouk
  let reports: ReportsClient
  let feeds: FeedsClient
  beforeAll(async () => {
    souk = await startTestSouk()
    reports = new ReportsClient(souk)
    feeds = new FeedsClient(souk)
  })
  afterEach(async () => {
    await souk.faults.clear()
    await souk.idle()
  })

  const givenUpJobs = async () =>
    (await souk.get('/operator/v1/jobs?state=GIVEN_UP', { headers: souk.operator })).json().jobs
  const quantity = (value: number) =>
    feeds.document([
      patch('SOUK-SHOE-001', {
        op: 'replace',
        path: '/attributes/fulfillment_availability',
        value: [{ fulfillment_channel_code: 'DEFAULT', quantity: value }],
      }),
    ])

  describe.each(['IN_QUEUE', 'IN_PROGRESS'] as const)('keeps a report %s', (state) => {
    test('until the rule is removed, without counting failures', async () => {
      const { id } = await addFault(souk, {
        match: { operations: 'processReport' },
        action: { kind: 'stuck', state },
        count: 1,
      })
      const reportId = await reports.created()
      // The rule hits one report: the first, if the second comes later.
      await souk.idle()
      const other = await reports.finished()
      expect(other.processingStatus).toBe('DONE')
      for (let hours = 0; hours < 30; hours++) {
        souk.clock.advance(HOUR)
        await souk.idle()
      }
      expect((await reports.report(reportId)).processingStatus).toBe(state)
      expect(await souk.faults.get(id)).toMatchObject({ calls: 2, hits: 1 })
      await souk.faults.remove(id)
      await souk.idle()
      expect((await reports.report(reportId)).processingStatus).toBe('DONE')
      expect(await givenUpJobs()).toEqual([])
    })
  })

  test('hits the reports and feeds of a type', async () => {
    const report = await addFault(souk, {
      match: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' },
      action: { kind: 'fatal' },
    })
    const feed = await addFault(souk, { match: { feedType: 'POST_ORDER_FULFILLMENT_DATA' }, action: { kind: 'fatal' } })
    const finished = await reports.finished({ reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' })
    expect(finished.processingStatus).toBe('FATAL')
    expect((await reports.finished({ reportType: 'GET_FLAT_FILE_OPEN_LISTINGS_DATA' })).processingStatus).toBe('DONE')
    expect((await feeds.finished(quantity(5))).processingStatus).toBe('DONE')
    expect(await souk.faults.get(report.id)).toMatchObject({ calls: 1, hits: 1 })
    expect(await souk.faults.get(feed.id)).toMatchObject({ calls: 0, hits: 0 })
  })

  test('counts a report once, however long it is in progress', async () => {
    const slow = await startTestSouk({ delay: SECOND })
    const { id } = await addFault(slow, { action: { kind: 'fatal' }, nth: 2 })
    const client = new ReportsClient(slow)
    const statuses: string[] = []
    for (let count = 0; count < 2; count++) {
      const reportId = await client.created()
      for (const _ of ['IN_QUEUE', 'IN_PROGRESS']) {
        await slow.idle()
        slow.clock.advance(SECOND)
      }
      await slow.idle()
      statuses.push((await client.report(reportId)).processingStatus)
    }
    expect(statuses).toEqual(['DONE', 'FATAL'])
    expect(await slow.faults.get(id)).toMatchObject({ calls: 2, hits: 1 })
  })

  onSqlite('counts a report once, also if the worker starts again while it is in progress', async () => {
    const slow = await startTestSouk({ delay: SECOND })
    const { id } = await addFault(slow, { match: { operations: 'processReport' }, action: { kind: 'fatal' }, nth: 2 })
    const client = new ReportsClient(slow)
    const first = await client.created()
    await slow.idle()
    slow.clock.advance(SECOND)
    await slow.idle()
    expect((await client.report(first)).processingStatus).toBe('IN_PROGRESS')
    await slow.snapshot('in-progress')
    await addFault(slow, { match: { operations: 'processReport' }, action: { kind: 'stuck' } })
    await slow.idle()
    slow.clock.advance(SECOND)
    await slow.idle()
    expect((await client.report(first)).processingStatus).toBe('DONE')
    expect(await slow.faults.get(id)).toMatchObject({ calls: 1, hits: 0 })
    await slow.restore('in-progress')
    slow.clock.advance(SECOND)
    await slow.idle()
    expect((await client.report(first)).processingStatus).toBe('DONE')
    expect(await slow.faults.get(id)).toMatchObject({ calls: 1, hits: 0 })
  })

  onSqlite('keeps a report stuck until its span is over, and across a snapshot', async () => {
    await addFault(souk, { action: { kind: 'stuck' }, count: 1, forSeconds: 60 })
    const stuck = await reports.finished()
    expect(stuck.processingStatus).toBe('IN_PROGRESS')
    await souk.snapshot('stuck')
    await souk.idle()
    souk.clock.advance(59 * SECOND)
    await souk.idle()
    expect((await reports.report(stuck.reportId)).processingStatus).toBe('IN_PROGRESS')
    souk.clock.advance(SECOND)
    await souk.idle()
    expect((await reports.report(stuck.reportId)).processingStatus).toBe('DONE')
  })

  onSqlite('lets work that was stuck in a snapshot continue after a restore, if the rule is gone', async () => {
    const { id } = await addFault(souk, { action: { kind: 'stuck' } })
    const { reportId } = await reports.finished()
    await souk.snapshot('stuck-by-rule')
    await souk.faults.remove(id)
    await souk.restore('stuck-by-rule')
    await souk.idle()
    expect((await reports.report(reportId)).processingStatus).toBe('DONE')
  })

  onSqlite('lets work that was stuck continue in a fork, which has no rules', async () => {
    await addFault(souk, { action: { kind: 'stuck' } })
    const { reportId } = await reports.finished()
    await using fork = await souk.fork()
    await fork.idle()
    const { access_token } = (await (
      await fetch(`${fork.url}/auth/o2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: fork.demo.refreshToken,
          client_id: fork.demo.clientId,
          client_secret: fork.demo.clientSecret,
        }),
      })
    ).json()) as { access_token: string }
    const response = await fetch(`${fork.url}/reports/2021-06-30/reports/${reportId}`, {
      headers: { 'x-amz-access-token': access_token },
    })
    expect(await response.json()).toMatchObject({ processingStatus: 'DONE' })
  })

  test('keeps a feed stuck with none of it applied, and the next feed of the seller behind it', async () => {
    const { id } = await addFault(souk, { match: { operations: 'processFeed' }, action: { kind: 'stuck' }, count: 1 })
    const stuck = await feeds.finished(quantity(41))
    const next = await feeds.finished(quantity(42))
    expect([stuck.processingStatus, next.processingStatus]).toEqual(['IN_PROGRESS', 'IN_QUEUE'])
    await souk.faults.remove(id)
    await souk.idle()
    const ended = await Promise.all([stuck, next].map(({ feedId }) => feeds.feed(feedId)))
    expect(ended.map(({ processingStatus }) => processingStatus)).toEqual(['DONE', 'DONE'])
  })

  test('lets a seller cancel a queued feed that is stuck, and continues with the next', async () => {
    await addFault(souk, { action: { kind: 'stuck', state: 'IN_QUEUE' }, count: 1 })
    const stuck = await feeds.finished(quantity(43))
    expect(stuck.processingStatus).toBe('IN_QUEUE')
    expect((await feeds.delete(`/feeds/2021-06-30/feeds/${stuck.feedId}`)).statusCode).toBe(200)
    const next = await feeds.submitted(quantity(44))
    souk.clock.advance(5 * SECOND)
    await souk.idle()
    expect((await feeds.feed(next)).processingStatus).toBe('DONE')
  })

  test('ends a report or a feed in FATAL, or in CANCELLED without data', async () => {
    await addFault(souk, { action: { kind: 'fatal' }, nth: 1 })
    await addFault(souk, { action: { kind: 'cancel' }, nth: 2 })
    expect((await reports.finished()).processingStatus).toBe('FATAL')
    const cancelled = await reports.finished()
    expect(cancelled.processingStatus).toBe('CANCELLED')
    expect(cancelled).not.toHaveProperty('reportDocumentId')
    await souk.faults.clear()
    await addFault(souk, { match: { operations: 'processFeed' }, action: { kind: 'cancel' }, count: 1 })
    const feed = await feeds.finished(quantity(45))
    expect(feed.processingStatus).toBe('CANCELLED')
    expect(feed).not.toHaveProperty('resultFeedDocumentId')
    expect((await feeds.finished(quantity(46))).processingStatus).toBe('DONE')
  })

  describe('on notifications', () => {
    const TYPE = 'REPORT_PROCESSING_FINISHED'
    let destinationId: string
    beforeAll(async () => {
      // Not at the time of earlier events.
      souk.clock.advance(SECOND)
      const listening = await notificationsClient(souk).listen('faults', TYPE, { payloadVersion: '2020-09-04' })
      destinationId = listening.destinationId
    })
    const reportIdsReceived = async () => {
      await souk.idle()
      const received = await receive(souk.queueUrl, 'faults')
      return received.map(({ payload }) => {
        const { reportProcessingFinishedNotification } = payload as Record<string, { reportId: string }>
        return reportProcessingFinishedNotification?.reportId
      })
    }
    const finishReport = async () => (await reports.finished()).reportId

    test('sends a notification again with the same id', async () => {
      const match = { notificationType: TYPE, destinationId, queueArn: arnOf('faults'), sellerId: souk.demo.sellerId }
      const { id } = await addFault(souk, { match, action: { kind: 'duplicate', copies: 2 }, count: 1 })
      const reportId = await finishReport()
      await souk.idle()
      const received = await receive(souk.queueUrl, 'faults')
      expect(received).toHaveLength(3)
      const ids = received.map(
        ({ notificationMetadata }) => (notificationMetadata as { notificationId: string }).notificationId,
      )
      expect(new Set(ids).size).toBe(1)
      expect((await souk.faults.get(id)).hits).toBe(1)
      const next = await finishReport()
      expect(await reportIdsReceived()).toEqual([next])
      expect(reportId).not.toBe(next)
    })

    test('loses notifications for a while, and never sends those', async () => {
      await addFault(souk, { action: { kind: 'lose' }, forSeconds: 60 })
      await finishReport()
      expect(await reportIdsReceived()).toEqual([])
      souk.clock.advance(60 * SECOND)
      const after = await finishReport()
      expect(await reportIdsReceived()).toEqual([after])
    })

    test('delays a notification by time of the clock', async () => {
      await addFault(souk, { action: { kind: 'delay', seconds: 300 } })
      const delayed = await finishReport()
      souk.clock.advance(299 * SECOND)
      expect(await reportIdsReceived()).toEqual([])
      souk.clock.advance(SECOND)
      expect(await reportIdsReceived()).toEqual([delayed])
    })

    onSqlite('delays a notification once, also if a snapshot is taken meanwhile', async () => {
      await addFault(souk, { action: { kind: 'delay', seconds: 300 } })
      const delayed = await finishReport()
      await souk.idle()
      await souk.snapshot('delayed')
      souk.clock.advance(300 * SECOND)
      expect(await reportIdsReceived()).toEqual([delayed])
    })

    test('lets the second of two notifications overtake the first', async () => {
      await addFault(souk, { action: { kind: 'reorder', seconds: 30 } })
      const first = await finishReport()
      const second = await finishReport()
      expect(await reportIdsReceived()).toEqual([second])
      souk.clock.advance(30 * SECOND)
      expect(await reportIdsReceived()).toEqual([first])
    })

    test.each(['AccessDenied', 'NonExistentQueue'] as const)(
      'has the queue refuse with %s, and delivers everything afterwards',
      async (reason) => {
        const { id } = await addFault(souk, { match: { destinationId }, action: { kind: 'refuse', reason } })
        const reportId = await finishReport()
        expect(await reportIdsReceived()).toEqual([])
        const { deliveries } = (
          await souk.get('/operator/v1/deliveries?state=PENDING', { headers: souk.operator })
        ).json()
        expect(deliveries[0].lastError).toContain(reason)
        await souk.faults.remove(id)
        souk.clock.advance(HOUR)
        expect(await reportIdsReceived()).toEqual([reportId])
      },
    )

    test('hits no notification of another type, destination or seller', async () => {
      const lose = { kind: 'lose' } as const
      await addFault(souk, { match: { notificationType: 'ORDER_CHANGE' }, action: lose })
      await addFault(souk, { match: { destinationId: 'another' }, action: lose })
      await addFault(souk, { match: { sellerId: 'ANOTHER' }, action: lose })
      const reportId = await finishReport()
      expect(await reportIdsReceived()).toEqual([reportId])
    })
  })
})
