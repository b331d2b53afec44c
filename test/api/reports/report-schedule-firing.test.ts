import { describe, expect, test } from 'vitest'
import type { Report } from '../../../src/areas/reports/schema.ts'
import { ManualClock } from '../../../src/index.ts'
import { registerApplication, revoke } from '../../support/applications.ts'
import { DAY, DE, HOUR, MINUTE, REPORTS, RETURNS, ReportsClient, SCHEDULES, US } from '../../support/reports.ts'
import { startTestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Starts a marketplace with one schedule. */
async function startSchedule(fields: object = {}, startsAt = '2026-06-01T12:00:00.000Z', worker = {}) {
  const souk = await startTestSouk({ clock: new ManualClock(startsAt), worker })
  const client = new ReportsClient(souk)
  const create = async (more: object = {}): Promise<string> => {
    const body = { reportType: RETURNS, marketplaceIds: [US], period: 'PT1H', ...fields, ...more }
    const response = await client.post(SCHEDULES, body)
    expect(response.statusCode, response.body).toBe(201)
    return response.json().reportScheduleId
  }
  return {
    souk,
    client,
    create,
    scheduleId: await create(),
    /** Advances the clock and waits until the worker is idle. */
    async pass(milliseconds: number) {
      souk.clock.advance(milliseconds)
      await souk.idle()
    },
    /** Newest first. */
    async made(): Promise<Report[]> {
      const { reports, nextToken } = await client.reports(`reportTypes=${RETURNS}&pageSize=100`)
      const rest = nextToken ? await client.reports(`nextToken=${nextToken}`) : { reports: [] }
      return [...reports, ...rest.reports]
    },
    async next(scheduleId: string): Promise<string> {
      return (await client.get(`${SCHEDULES}/${scheduleId}`)).json().nextReportCreationTime
    },
  }
}

const windowOf = ({ dataStartTime, dataEndTime }: Report) => [dataStartTime.slice(0, 16), dataEndTime.slice(0, 16)]

describe('a report schedule', () => {
  test('creates no report before its first creation time', async () => {
    const { pass, made, next, scheduleId } = await startSchedule()
    await pass(HOUR - 1)
    expect(await made()).toEqual([])
    expect(await next(scheduleId)).toBe('2026-06-01T13:00:00+00:00')
  })

  test('ends when it is due if the authorization of its application was revoked', async () => {
    const { souk, pass, scheduleId } = await startSchedule()
    const { sellerId, applicationId } = souk.demo
    const other = await registerApplication(souk, 'other', { sellerIds: [sellerId] })
    const list = async (path: string) =>
      (await souk.get(`${path}?reportTypes=${RETURNS}`, { token: await other.sellerToken(sellerId) })).json()
    await revoke(souk, sellerId, applicationId)
    expect(await list(SCHEDULES)).toMatchObject({ reportSchedules: [{ reportScheduleId: scheduleId }] })
    await pass(HOUR)
    expect(await list(SCHEDULES)).toEqual({ reportSchedules: [] })
    expect(await list(REPORTS)).toEqual({ reports: [] })
  })

  test('creates a report of the last period with the schedule id, and sets the next creation time', async () => {
    const { pass, made, next, scheduleId } = await startSchedule({
      period: 'P30D',
      marketplaceIds: [US, DE],
      nextReportCreationTime: '2026-06-01T13:00:00Z',
    })
    await pass(HOUR)
    expect(await made()).toEqual([
      {
        reportId: expect.stringMatching(/^\d{11,12}$/),
        reportType: RETURNS,
        marketplaceIds: [DE, US],
        reportScheduleId: scheduleId,
        processingStatus: 'DONE',
        createdTime: '2026-06-01T13:00:00+00:00',
        dataStartTime: '2026-05-02T13:00:00+00:00',
        dataEndTime: '2026-06-01T13:00:00+00:00',
        processingStartTime: '2026-06-01T13:00:00+00:00',
        processingEndTime: '2026-06-01T13:00:00+00:00',
        reportDocumentId: expect.any(String),
      },
    ])
    expect(await next(scheduleId)).toBe('2026-07-01T13:00:00+00:00')
  })

  test('creates one report per period', async () => {
    const { pass, made } = await startSchedule()
    for (let hour = 0; hour < 3; hour++) await pass(HOUR)
    const reports = await made()
    expect(reports.map(windowOf)).toEqual([
      ['2026-06-01T14:00', '2026-06-01T15:00'],
      ['2026-06-01T13:00', '2026-06-01T14:00'],
      ['2026-06-01T12:00', '2026-06-01T13:00'],
    ])
  })

  test('creates the reports of missed periods', async () => {
    const { pass, made, next, scheduleId } = await startSchedule()
    await pass(4 * HOUR + 10 * MINUTE)
    const reports = await made()
    expect(reports.map(windowOf).sort()).toEqual([
      ['2026-06-01T12:00', '2026-06-01T13:00'],
      ['2026-06-01T13:00', '2026-06-01T14:00'],
      ['2026-06-01T14:00', '2026-06-01T15:00'],
      ['2026-06-01T15:00', '2026-06-01T16:00'],
    ])
    expect(new Set(reports.map((report) => report.createdTime))).toEqual(new Set(['2026-06-01T16:10:00+00:00']))
    expect(await next(scheduleId)).toBe('2026-06-01T17:00:00+00:00')
  })

  test('creates at most the last hundred missed reports', async () => {
    const { pass, made, next, scheduleId } = await startSchedule({ period: 'PT5M' })
    await pass(30 * DAY + MINUTE)
    const reports = await made()
    expect(reports).toHaveLength(100)
    const ends = reports.map((report) => report.dataEndTime).sort()
    expect([ends[0], ends.at(-1)]).toEqual(['2026-07-01T03:45:00+00:00', '2026-07-01T12:00:00+00:00'])
    expect(await next(scheduleId)).toBe('2026-07-01T12:05:00+00:00')
  })

  test('starts at nextReportCreationTime, also immediately, without waiting for the next poll', async () => {
    const { made, next, scheduleId } = await startSchedule({ nextReportCreationTime: '2026-06-01T12:00:00Z' })
    const reports = await waitFor(made, (found) => found.length > 0)
    expect(reports.map(windowOf)).toEqual([['2026-06-01T11:00', '2026-06-01T12:00']])
    expect(await next(scheduleId)).toBe('2026-06-01T13:00:00+00:00')
  })

  test('with a period of a month follows the calendar', async () => {
    const { pass, made, next, scheduleId } = await startSchedule({ period: 'P1M' })
    await pass(30 * DAY)
    expect((await made()).map(windowOf)).toEqual([['2026-06-01T12:00', '2026-07-01T12:00']])
    expect(await next(scheduleId)).toBe('2026-08-01T12:00:00+00:00')
  })

  test('that starts on the 31st uses the last day of a shorter month', async () => {
    const { pass, made, next, scheduleId } = await startSchedule(
      { period: 'P1M', nextReportCreationTime: '2027-01-31T00:00:00Z' },
      '2027-01-30T00:00:00.000Z',
    )
    await pass(DAY)
    expect((await made()).map(windowOf)).toEqual([['2026-12-31T00:00', '2027-01-31T00:00']])
    expect(await next(scheduleId)).toBe('2027-02-28T00:00:00+00:00')
  })

  test('that was cancelled creates no more reports; its existing reports stay', async () => {
    const { client, pass, made, scheduleId } = await startSchedule()
    await pass(HOUR)
    await client.delete(`${SCHEDULES}/${scheduleId}`)
    await pass(DAY)
    expect(await made()).toMatchObject([{ reportScheduleId: scheduleId }])
  })

  test('that was replaced creates no more reports; only its replacement does', async () => {
    const { create, pass, made } = await startSchedule()
    const replacement = await create({ period: 'PT2H' })
    await pass(2 * HOUR)
    expect((await made()).map(({ reportScheduleId }) => reportScheduleId)).toEqual([replacement])
  })

  test('waits after each period until all of its changes can be read, where several processes write', async () => {
    const settlingMilliseconds = 2 * MINUTE
    const { pass, made, next, scheduleId } = await startSchedule({}, undefined, { settlingMilliseconds })
    await pass(HOUR)
    expect(await made()).toMatchObject([{ processingStatus: 'IN_QUEUE', createdTime: '2026-06-01T13:00:00+00:00' }])
    expect(await next(scheduleId)).toBe('2026-06-01T14:00:00+00:00')
    await pass(settlingMilliseconds - 1)
    expect(await made()).toMatchObject([{ processingStatus: 'IN_QUEUE' }])
    await pass(1)
    const reports = await made()
    expect(reports).toMatchObject([{ processingStartTime: '2026-06-01T13:02:00+00:00' }])
    expect(reports.map(windowOf)).toEqual([['2026-06-01T12:00', '2026-06-01T13:00']])

    // The changes of periods that ended earlier are complete.
    await pass(3 * HOUR)
    expect((await made()).map(({ processingEndTime }) => processingEndTime)).toEqual(Array(4).fill(expect.any(String)))
  })

  test('creates reports that other sellers cannot see', async () => {
    const { client, pass, made } = await startSchedule()
    await pass(HOUR)
    const [report] = await made()
    const other = new ReportsClient(client.souk, client.souk.demo.otherSeller.refreshToken)
    expect((await other.reports(`reportTypes=${RETURNS}`)).reports).toEqual([])
    expect((await other.get(`${REPORTS}/${report?.reportId}`)).statusCode).toBe(404)
  })
})
