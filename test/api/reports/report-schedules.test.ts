import { beforeAll, describe, expect, test } from 'vitest'
import {
  DE,
  FEEDBACK,
  JP,
  joinMarketplaces,
  RETURNS,
  RETURNS_FLAT_FILE,
  ReportsClient,
  SCHEDULES,
  US,
} from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const PERIODS = 'PT5M PT15M PT30M PT1H PT2H PT4H PT8H PT12H P1D P2D P3D PT84H P7D P14D P15D P18D P30D P1M'.split(' ')

let souk: TestSouk
let client: ReportsClient
let other: ReportsClient

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
})

const good = { reportType: RETURNS, marketplaceIds: [US], period: 'P1D' }
const create = (fields: object = {}, seller = client) => seller.post(SCHEDULES, { ...good, ...fields })
const created = async (fields: object = {}, seller = client): Promise<string> => {
  const response = await create(fields, seller)
  expect(response.statusCode, response.body).toBe(201)
  return response.json().reportScheduleId
}
const find = (scheduleId: string, seller = client) => seller.get(`${SCHEDULES}/${scheduleId}`)
const cancel = (scheduleId: string, seller = client) => seller.delete(`${SCHEDULES}/${scheduleId}`)
const list = async (types: string, seller = client): Promise<{ reportScheduleId: string }[]> =>
  (await seller.get(`${SCHEDULES}?reportTypes=${types}`)).json().reportSchedules
const ids = async (types: string, seller = client) =>
  (await list(types, seller)).map(({ reportScheduleId }) => reportScheduleId).sort()
const notFound = { status: 404, code: 'NotFound' }

describe('createReportSchedule', () => {
  test('returns 201 with the id, a string of eleven or twelve digits', async () => {
    const response = await create()
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({ reportScheduleId: expect.stringMatching(/^\d{11,12}$/) })
  })

  test('stores the request; the first report is due after one period', async () => {
    const reportScheduleId = await created({ reportOptions: { custom: 'true' } })
    expect((await find(reportScheduleId)).json()).toEqual({
      reportScheduleId,
      ...good,
      reportOptions: { custom: 'true' },
      nextReportCreationTime: '2026-06-02T12:00:00+00:00',
    })
  })

  test('creates the first report at nextReportCreationTime', async () => {
    const reportScheduleId = await created({ nextReportCreationTime: '2026-06-01T20:00:00+02:00' })
    expect((await find(reportScheduleId)).json().nextReportCreationTime).toBe('2026-06-01T18:00:00+00:00')
  })

  test('ignores unknown keys', async () => {
    expect((await create({ MarketplaceId: 1 })).statusCode).toBe(201)
  })

  test.each(PERIODS)('accepts the period %s', async (period) => {
    const reportScheduleId = await created({ period })
    expect((await find(reportScheduleId)).json().period).toBe(period)
  })

  test('replaces the schedule with the same type and marketplaces, in any order', async () => {
    const type = { reportType: RETURNS_FLAT_FILE }
    const first = await created({ ...type, marketplaceIds: [US, DE] })
    const second = await created({ ...type, marketplaceIds: [DE, US], period: 'PT1H' })
    expect(errorOf(await find(first))).toMatchObject(notFound)
    expect(await list(RETURNS_FLAT_FILE)).toMatchObject([{ reportScheduleId: second, period: 'PT1H' }])
  })

  test('does not replace a schedule with other marketplaces, another type or another seller', async () => {
    const own = new ReportsClient(await startTestSouk())
    const otherSeller = new ReportsClient(own.souk, own.souk.demo.otherSeller.refreshToken)
    const mine = [
      await created({}, own),
      await created({ marketplaceIds: [DE] }, own),
      await created({ marketplaceIds: [US, DE] }, own),
    ]
    const anotherType = await created({ reportType: FEEDBACK }, own)
    const theirs = await created({}, otherSeller)
    expect(await ids(RETURNS, own)).toEqual(mine.sort())
    expect(await ids(FEEDBACK, own)).toEqual([anotherType])
    expect(await ids(RETURNS, otherSeller)).toEqual([theirs])
  })

  test('leaves one schedule after ten equal concurrent requests', async () => {
    const own = new ReportsClient(await startTestSouk())
    const made = await Promise.all(Array.from({ length: 10 }, () => created({}, own)))
    const left = await ids(RETURNS, own)
    expect(left).toHaveLength(1)
    expect(made).toContain(left[0])
  })

  test.each<[string, object, string]>([
    ['an unknown type', { reportType: 'GET_NOTHING' }, 'invalid report type'],
    ['no type', { reportType: undefined }, '[reportType]'],
    ['no marketplaces', { marketplaceIds: undefined }, '[marketplaceIds]'],
    ['an empty list of marketplaces', { marketplaceIds: [] }, '[marketplaceIds]'],
    ['26 marketplaces', { marketplaceIds: Array(26).fill(US) }, '[marketplaceIds]'],
    ['a marketplace that does not exist', { marketplaceIds: ['A1NOWHERE'] }, '[marketplaceIds]'],
    ['no period', { period: undefined }, '[period]'],
    ['an unknown period', { period: 'PT6M' }, '[period]'],
    ['a period in another notation', { period: 'PT60M' }, '[period]'],
    ['a period in lowercase', { period: 'p1d' }, '[period]'],
    ['a period that is a number', { period: 5 }, '[period]'],
    ['a time in the past', { nextReportCreationTime: '2026-06-01T11:59:59.999Z' }, '[nextReportCreationTime]'],
    ['an invalid time', { nextReportCreationTime: 'soon' }, '[nextReportCreationTime]'],
    ['a day that does not exist', { nextReportCreationTime: '2027-02-29' }, '[nextReportCreationTime]'],
    ['options that are not strings', { reportOptions: { a: 1 } }, '[reportOptions.a]'],
  ])('refuses %s and changes nothing', async (_what, fields, message) => {
    const before = await list(RETURNS)
    expect(errorOf(await create(fields))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(message),
    })
    expect(await list(RETURNS)).toEqual(before)
  })

  test('refuses the 251st schedule of an application for a seller; replacing one, or cancelling one first, is possible', async () => {
    const own = new ReportsClient(await startTestSouk())
    const marketplaces = await joinMarketplaces(own.souk, 8)
    const sets = Array.from({ length: 251 }, (_, set) => marketplaces.filter((_id, bit) => ((set + 1) >> bit) & 1))
    const last = { marketplaceIds: sets.pop() }
    const made: string[] = []
    for (const marketplaceIds of sets) made.push(await created({ marketplaceIds }, own))
    expect(errorOf(await create(last, own))).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: 'There are too many report schedules.',
      details: expect.stringContaining('at most 250'),
    })
    expect(await list(RETURNS, own)).toHaveLength(250)
    const replacement = await created({ marketplaceIds: sets[0], period: 'PT1H' }, own)
    expect(errorOf(await find(made[0] as string, own))).toMatchObject(notFound)
    await cancel(replacement, own)
    await created(last, own)
    expect(await list(RETURNS, own)).toHaveLength(250)
  })

  test('refuses with 403 a marketplace in which the seller does not participate', async () => {
    expect(errorOf(await create({ marketplaceIds: [JP] }))).toMatchObject({ status: 403, code: 'Unauthorized' })
  })
})

describe('getReportSchedules', () => {
  test('returns the schedules of the requested types as getReportSchedule does, for any list notation', async () => {
    const own = new ReportsClient(await startTestSouk())
    const returns = await created({}, own)
    const feedback = await created({ reportType: FEEDBACK }, own)
    await created({ reportType: RETURNS_FLAT_FILE }, own)
    expect(await list(RETURNS, own)).toEqual([(await find(returns, own)).json()])
    const both = [returns, feedback].sort()
    expect(await ids(`${RETURNS},${FEEDBACK}`, own)).toEqual(both)
    expect(await ids(`${RETURNS}%2C${FEEDBACK}`, own)).toEqual(both)
    expect(await ids(`${RETURNS}&reportTypes=${FEEDBACK}`, own)).toEqual(both)
    expect(await ids('GET_NOTHING', own)).toEqual([])
  })

  test.each<[string, string]>([
    ['no types', ''],
    ['an empty list of types', '?reportTypes='],
    ['eleven types', `?reportTypes=${Array(11).fill(RETURNS)}`],
  ])('refuses %s', async (_what, query) => {
    expect(errorOf(await client.get(`${SCHEDULES}${query}`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('reportTypes'),
    })
  })

  test('accepts ten types', async () => {
    expect((await client.get(`${SCHEDULES}?reportTypes=${Array(10).fill(RETURNS)}`)).statusCode).toBe(200)
  })
})

describe('cancelReportSchedule', () => {
  test('deletes a schedule: it is not found any more and cannot be cancelled again', async () => {
    const scheduleId = await created()
    const response = await cancel(scheduleId)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({})
    expect(errorOf(await find(scheduleId))).toMatchObject(notFound)
    expect(errorOf(await cancel(scheduleId))).toMatchObject(notFound)
    expect(await ids(RETURNS)).not.toContain(scheduleId)
  })

  test('leaves no job behind, however far away the next run was', async () => {
    const countJobs = async () => {
      const path = '/operator/v1/jobs?kind=fireReportSchedule&state=WAITING'
      return (await souk.get(path, { headers: souk.operator })).json().jobs.length
    }
    const before = await countJobs()
    const nextReportCreationTime = '9999-01-01T00:00:00Z'
    const replaced = await created({ reportType: FEEDBACK, nextReportCreationTime })
    const scheduleId = await created({ reportType: FEEDBACK, nextReportCreationTime })
    expect(scheduleId).not.toBe(replaced)
    expect(await countJobs()).toBe(before + 1)
    expect((await cancel(scheduleId)).statusCode).toBe(200)
    expect(await countJobs()).toBe(before)
  })
})

test("another seller's schedule is treated as unknown and does not change", async () => {
  const scheduleId = await created()
  for (const id of [scheduleId, '123456789012']) {
    expect(errorOf(await find(id, other))).toMatchObject(notFound)
    expect(errorOf(await cancel(id, other))).toMatchObject(notFound)
  }
  expect(await ids(RETURNS, other)).toEqual([])
  expect((await find(scheduleId)).statusCode).toBe(200)
})
