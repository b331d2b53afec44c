import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, describe, expect, test } from 'vitest'
import { startStandIn } from '../../../src/stand-in/stand-in.ts'
import { FeedsClient, remove } from '../../support/feeds.ts'
import { FlakyQueue } from '../../support/flaky-queue.ts'
import { notificationsClient } from '../../support/notifications.ts'
import { sqsClient } from '../../support/queue-client.ts'
import { DAY, MINUTE, REPORTS, RETURNS, ReportsClient, SCHEDULES, US } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

interface DueView {
  kind: string
  time: string
  id: string
  description: string
}

interface NextView {
  now: string
  due: DueView | null
  alsoDue: DueView[]
}

const MAX_STEPS = 300

/** As a program in any language does it. */
async function postNext({ url }: { url: string }, body?: object): Promise<NextView> {
  const response = await fetch(`${url}/_souk/clock/next`, {
    method: 'POST',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect(response.status).toBe(200)
  return response.json() as Promise<NextView>
}

/** Steps until something matches, and returns it. */
async function stepTo(souk: TestSouk, isIt: (due: DueView) => boolean, body?: object): Promise<DueView> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { now, due, alsoDue } = await postNext(souk, body)
    if (!due) break
    const all = [due, ...alsoDue]
    expect(new Set(all.map(({ time }) => time))).toEqual(new Set([now]))
    const found = all.find(isIt)
    if (found) return found
  }
  throw new Error('It was not due')
}

const isA = (kind: string) => (due: DueView) => due.kind === kind
const listDue = async (souk: TestSouk, limit: number): Promise<DueView[]> =>
  (await souk.get(`/_souk/clock/due?limit=${limit}`)).json().due

describe('POST /_souk/clock/next', () => {
  test('moves to an expiry of a token, which is then invalid', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const due = await stepTo(souk, isA('accessTokenExpiry'))
    expect(due).toMatchObject({
      time: '2026-06-01T13:00:00.000Z',
      description: expect.stringContaining(souk.demo.sellerId),
    })
    expect(errorOf(await souk.get('/sellers/v1/account', { token })).details).toMatch(/expired/)
  })

  test('skips expiries of tokens that stay valid', async () => {
    const souk = await startTestSouk()
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const kinds = new Set<string>()
    const end = souk.clock.now().getTime() + DAY
    await stepTo(
      souk,
      ({ kind, time }) => {
        kinds.add(kind)
        return Date.parse(time) > end
      },
      { keepTokens: true },
    )
    expect([...kinds]).not.toContain('accessTokenExpiry')
    expect((await souk.get('/sellers/v1/account', { token })).statusCode).toBe(200)
  })

  test('moves to the start and to the end of the time in which a review can be requested', async () => {
    const souk = await startTestSouk()
    const { tooEarly, marketplaceId } = { ...souk.demo.orders, marketplaceId: souk.demo.marketplaceId }
    const path = `/solicitations/v1/orders/${tooEarly}?marketplaceIds=${marketplaceId}`
    const isOffered = async () => {
      const token = await souk.tokenFor(souk.demo.refreshToken)
      return (await souk.get(path, { token })).json()._embedded.actions.length === 1
    }
    expect(await isOffered()).toBe(false)
    await stepTo(souk, ({ kind, id }) => kind === 'solicitationWindowOpening' && id === tooEarly)
    expect(await isOffered()).toBe(true)
    await stepTo(souk, ({ kind, id }) => kind === 'solicitationWindowEnd' && id === tooEarly)
    expect(await isOffered()).toBe(false)
  })

  test('fires a report schedule, and waits for its work before the next step', async () => {
    const souk = await startTestSouk()
    const client = new ReportsClient(souk)
    const schedule = { reportType: RETURNS, marketplaceIds: [US], period: 'PT1H' }
    const { reportScheduleId } = (await client.post(SCHEDULES, schedule)).json()
    for (const hour of [13, 14]) {
      const due = await stepTo(souk, isA('fireReportSchedule'))
      expect(due.time).toBe(`2026-06-01T${hour}:00:00.000Z`)
      expect(due.description).toMatch(
        new RegExp(`^The job fireReportSchedule runs, with .*scheduleId ${reportScheduleId}`),
      )
    }
    await souk.idle()
    const { reports } = (await client.get(`${REPORTS}?reportTypes=${RETURNS}`)).json()
    expect(reports.map(({ processingStatus }: { processingStatus: string }) => processingStatus)).toHaveLength(2)
  })

  test('takes a report and a feed through their states, one delay at a time', async () => {
    const souk = await startTestSouk({ delay: 300 })
    const [reports, feeds] = [new ReportsClient(souk), new FeedsClient(souk)]
    const feedId = await feeds.submitted(feeds.document([remove('NOBODY-HAS-THIS')]))
    const reportId = await reports.created()
    const steps = [
      ['2026-06-01T12:00:00.300Z', 'IN_PROGRESS'],
      ['2026-06-01T12:00:00.600Z', 'DONE'],
    ]
    for (const [time, status] of steps) {
      const { now, due, alsoDue } = await postNext(souk)
      expect(now).toBe(time)
      expect([due?.kind, ...alsoDue.map(({ kind }) => kind)].sort()).toEqual(['processFeed', 'processReport'])
      await souk.idle()
      expect((await reports.report(reportId)).processingStatus).toBe(status)
      expect((await feeds.feed(feedId)).processingStatus).toBe(status)
    }
  })

  test('passes a feed that is stuck, and moves to what happens meanwhile', async () => {
    const souk = await startTestSouk()
    const [reports, feeds] = [new ReportsClient(souk), new FeedsClient(souk)]
    await souk.incidents.start('stuck-feed')
    const feedId = await feeds.submitted(feeds.document([remove('NOBODY-HAS-THIS')]))
    await reports.post(SCHEDULES, { reportType: RETURNS, marketplaceIds: [US], period: 'PT1H' })
    await souk.idle()
    expect(await listDue(souk, 100)).not.toContainEqual(expect.objectContaining({ kind: 'processFeed' }))
    const kinds = new Set<string>()
    await stepTo(souk, ({ kind }) => {
      kinds.add(kind)
      return kind === 'fireReportSchedule'
    })
    expect([...kinds]).not.toContain('processFeed')
    expect((await feeds.feed(feedId)).processingStatus).toBe('IN_PROGRESS')
  })

  test('moves to the end of a rule by which a report is stuck, and the report is done', async () => {
    const souk = await startTestSouk()
    const reports = new ReportsClient(souk)
    const match = { operations: 'processReport' as const }
    const { id } = await souk.faults.add({ match, action: { kind: 'stuck' }, forSeconds: 90 })
    // It holds nothing, so nothing happens at its end.
    await souk.faults.add({ match: { operations: 'processFeed' }, action: { kind: 'stuck' }, forSeconds: 60 })
    const reportId = await reports.created()
    await souk.idle()
    expect((await postNext(souk)).due).toEqual({
      kind: 'faultRuleEnd',
      time: '2026-06-01T12:01:30.000Z',
      id,
      description: `Fault rule ${id} ends, and what it holds continues`,
    })
    await souk.idle()
    expect((await reports.report(reportId)).processingStatus).toBe('DONE')
  })

  test('makes a message of a queue visible', async () => {
    const souk = await startTestSouk()
    const client = sqsClient(souk.queueUrl)
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'delayed' }))
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 90 }))
    expect(await stepTo(souk, isA('queueMessageVisibility'))).toMatchObject({
      time: '2026-06-01T12:01:30.000Z',
      id: 'delayed',
    })
    expect((await client.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0]?.Body).toBe('later')
  })

  test('moves to a retry of notifications', async () => {
    const queues = new FlakyQueue()
    const endpoint = await queues.open()
    afterAll(() => queues.close())
    const souk = await startTestSouk({
      messaging: { sqs: { endpoint, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } },
    })
    queues.moods.set('broken', 'broken')
    const { destinationId } = await notificationsClient(souk).listen('broken', 'ORDER_CHANGE')
    await souk.buyer.order({ sku: 'SOUK-SHOE-001' })
    await souk.idle()
    queues.moods.clear()
    expect(await stepTo(souk, isA('notificationDelivery'))).toMatchObject({
      id: destinationId,
      description: `Retry of deliveries to the destination ${destinationId}`,
    })
    await souk.idle()
    expect(queues.bodies('broken')).toHaveLength(1)
  })

  test('moves to the end of the time over which notifications are aggregated', async () => {
    const souk = await startTestSouk()
    const { subscriptionId } = await notificationsClient(souk).listen('aggregated', 'ANY_OFFER_CHANGED', {
      processingDirective: {
        eventFilter: {
          eventFilterType: 'ANY_OFFER_CHANGED',
          aggregationSettings: { aggregationTimePeriod: 'FiveMinutes' },
        },
      },
    })
    const asin = souk.demo.asins[0] as string
    for (const price of [7, 6]) {
      await souk.competitor.join({ asin, sellerId: `ACOMPETITOR${price}`, price })
      souk.clock.advance(MINUTE)
      await souk.idle()
    }
    expect(await stepTo(souk, isA('aggregationWindowEnd'))).toMatchObject({
      time: '2026-06-01T12:05:00.000Z',
      id: subscriptionId,
    })
  })

  test('moves to what buyers and carriers have planned, which has then happened', async () => {
    const souk = await startTestSouk()
    await souk.life.start({ ordersPerDay: 200, competitors: 0, cancelRate: 1 })
    const due = await stepTo(souk, isA('lifePlan'))
    expect(due.description).toMatch(/^CANCEL \d{3}-/)
    await souk.idle()
    const { counts, until } = await souk.life.status()
    expect(until).toBe(due.time)
    expect(counts.cancellations).toBeGreaterThan(0)
  })

  test('moves to the end of a client secret', async () => {
    const souk = await startTestSouk({ demo: false })
    const headers = souk.operator
    const application = { applicationId: 'app', name: 'An application' }
    await souk.put('/operator/v1/applications', { headers, payload: { applications: [application] } })
    const path = '/operator/v1/applications/app/clientSecret'
    await souk.post(path, { headers, payload: { overlapSeconds: 60 } })
    expect((await postNext(souk)).due).toEqual({
      kind: 'previousClientSecretExpiry',
      time: '2026-06-01T12:01:00.000Z',
      id: 'app',
      description: 'The previous client secret of the application app ends',
    })
  })

  test('returns null and does not move if nothing is due', async () => {
    const souk = await startTestSouk({ demo: false })
    expect(await postNext(souk, {})).toMatchObject({ now: '2026-06-01T12:00:00.000Z', due: null })
    expect(await listDue(souk, 10)).toEqual([])
  })

  test('steps once for each of concurrent requests', async () => {
    const souk = await startTestSouk()
    const [first, second, third] = await listDue(souk, 3)
    const steps = await Promise.all([postNext(souk), postNext(souk), postNext(souk)])
    const times = steps.map(({ due }) => due?.time).sort()
    const distinct = new Set(times)
    expect(times[0]).toBe(first?.time)
    // What is due at the same time is one step.
    expect(distinct.size).toBe(3)
    expect(Date.parse(times[2] ?? '')).toBeGreaterThanOrEqual(Date.parse((third ?? second)?.time ?? ''))
  })

  test('refuses unknown fields and impossible limits, and does not move', async () => {
    const souk = await startTestSouk()
    for (const payload of [{ keepToken: true }, { keepTokens: 'yes' }, []]) {
      expect(errorOf(await souk.post('/_souk/clock/next', { payload })).status).toBe(400)
    }
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'max=1']) {
      expect(errorOf(await souk.get(`/_souk/clock/due?${query}`)).status).toBe(400)
    }
    expect(souk.clock.offsetMilliseconds).toBe(0)
  })

  test('is souk.clock.next() in a test', async () => {
    await using souk = await startStandIn()
    const [first] = await souk.clock.due({ limit: 1 })
    const before = souk.clock.now()
    const due = await souk.clock.next({ keepTokens: true })
    expect(due).toMatchObject({ ...first, alsoDue: [] })
    expect(due?.time.getTime()).toBeGreaterThan(before.getTime())
    expect(souk.clock.now().getTime()).toBeGreaterThanOrEqual(due?.time.getTime() ?? 0)
    await expect(souk.clock.due({ limit: 1000 })).rejects.toThrow('limit')
  })
})

test('GET /_souk/clock/due lists what is due, earliest first, and moves nothing', async () => {
  const souk = await startTestSouk()
  await souk.tokenFor(souk.demo.refreshToken)
  const due = await listDue(souk, 100)
  expect(due.length).toBeGreaterThan(50)
  expect(due.map(({ time }) => time)).toEqual(due.map(({ time }) => time).sort())
  expect(due.every(({ time }) => Date.parse(time) > souk.clock.now().getTime())).toBe(true)
  expect(souk.clock.offsetMilliseconds).toBe(0)
  expect(await listDue(souk, 3)).toEqual(due.slice(0, 3))
})
