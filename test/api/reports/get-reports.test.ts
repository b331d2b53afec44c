import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
import {
  beginProcessing,
  DAY,
  DE,
  FEEDBACK,
  HOUR,
  JP,
  NOTHING_HAPPENED,
  REPORTS,
  RETURNS,
  RETURNS_FLAT_FILE,
  ReportsClient,
  reportIn,
  US,
} from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: ReportsClient
const names = new Map<string, string>()

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  await new ReportsClient(souk, souk.demo.otherSeller.refreshToken).finished()
  // One per hour, starting at 12:00.
  for (const [name, fields] of Object.entries({
    xmlUs: {},
    xmlBoth: { marketplaceIds: [DE, US] },
    xmlNothing: NOTHING_HAPPENED,
    flatDe: { reportType: RETURNS_FLAT_FILE, marketplaceIds: [DE] },
    feedbackUs: { reportType: FEEDBACK },
  })) {
    names.set((await client.finished(fields)).reportId, name)
    souk.clock.advance(HOUR)
  }
})

/** The names of the listed reports, in order. */
const listed = async (query: string) =>
  (await client.reports(query)).reports.map(({ reportId }) => names.get(reportId) ?? reportId)
const refused = async (query: string) => errorOf(await client.get(`${REPORTS}?${query}`))

const TYPES = `reportTypes=${RETURNS},${RETURNS_FLAT_FILE},${FEEDBACK}`

describe('getReports', () => {
  test('returns each report as getReport does, and no token on the last page', async () => {
    const { reports, ...rest } = await client.reports(TYPES)
    expect(rest).toEqual({})
    expect(reports).toHaveLength(5)
    for (const report of reports) expect(report).toEqual(await client.report(report.reportId))
  })

  test.each<[string, string, string[]]>([
    ['by one type', `reportTypes=${RETURNS}`, ['xmlNothing', 'xmlBoth', 'xmlUs']],
    ['by several types', TYPES, ['feedbackUs', 'flatDe', 'xmlNothing', 'xmlBoth', 'xmlUs']],
    [
      'by types in a repeated parameter',
      `reportTypes=${FEEDBACK}&reportTypes=${RETURNS_FLAT_FILE}`,
      ['feedbackUs', 'flatDe'],
    ],
    ['by types with an escaped comma', `reportTypes=${FEEDBACK}%2C${RETURNS_FLAT_FILE}`, ['feedbackUs', 'flatDe']],
    ['by a type without reports', 'reportTypes=GET_MERCHANT_LISTINGS_DATA', []],
    ['by an unknown type', 'reportTypes=GET_NOTHING', []],
    ['by status', `${TYPES}&processingStatuses=CANCELLED`, ['xmlNothing']],
    [
      'by several statuses',
      `${TYPES}&processingStatuses=CANCELLED,DONE`,
      ['feedbackUs', 'flatDe', 'xmlNothing', 'xmlBoth', 'xmlUs'],
    ],
    ['by statuses in a repeated parameter', `${TYPES}&processingStatuses=FATAL&processingStatuses=IN_QUEUE`, []],
    ['by marketplace', `${TYPES}&marketplaceIds=${DE}`, ['flatDe', 'xmlBoth']],
    [
      'by several marketplaces',
      `${TYPES}&marketplaceIds=${US},${DE}`,
      ['feedbackUs', 'flatDe', 'xmlNothing', 'xmlBoth', 'xmlUs'],
    ],
    ['by a marketplace without reports', `${TYPES}&marketplaceIds=${JP}`, []],
    ['by part of a marketplace id', `${TYPES}&marketplaceIds=ATVPDKIKX`, []],
    ['from a time on, inclusive', `${TYPES}&createdSince=2026-06-01T15:00:00Z`, ['feedbackUs', 'flatDe']],
    ['until a time, inclusive', `${TYPES}&createdUntil=2026-06-01T13:00:00Z`, ['xmlBoth', 'xmlUs']],
    [
      'between two times with offsets',
      `${TYPES}&createdSince=2026-06-01T15:00:00%2B02:00&createdUntil=2026-06-01T09:00:00-05:00`,
      ['xmlNothing', 'xmlBoth'],
    ],
    ['by a date, which is midnight', `${TYPES}&createdSince=2026-06-01&createdUntil=2026-06-01`, []],
    [
      'by all filters together',
      `${TYPES}&processingStatuses=DONE&marketplaceIds=${US}&createdSince=2026-06-01T13:00:00Z&createdUntil=2026-06-01T15:00:00Z&pageSize=5`,
      ['xmlBoth'],
    ],
    ['by type, ignoring unknown parameters', `reportTypes=${FEEDBACK}&MarketplaceId=1&x`, ['feedbackUs']],
  ])('filters %s, newest first', async (_how, query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test.each<[string, string, string]>([
    ['neither types nor a token', '', 'reportTypes'],
    ['a filter without types', 'processingStatuses=DONE', 'reportTypes'],
    ['no type', 'reportTypes=', 'reportTypes'],
    ['eleven types', `reportTypes=${Array(11).fill(RETURNS)}`, 'reportTypes'],
    ['an unknown status', `${TYPES}&processingStatuses=DONE,GONE`, 'processingStatuses'],
    ['a status in lowercase', `${TYPES}&processingStatuses=done`, 'processingStatuses'],
    ['eleven marketplaces', `${TYPES}&marketplaceIds=${Array(11).fill(US)}`, 'marketplaceIds'],
    ['a marketplace that is not an id', `${TYPES}&marketplaceIds=%25`, 'marketplaceIds'],
    ['a page size of 0', `${TYPES}&pageSize=0`, 'pageSize'],
    ['a page size of -1', `${TYPES}&pageSize=-1`, 'pageSize'],
    ['a page size of 101', `${TYPES}&pageSize=101`, 'pageSize'],
    ['a page size of 1.5', `${TYPES}&pageSize=1.5`, 'pageSize'],
    ['a page size that is not a number', `${TYPES}&pageSize=many`, 'pageSize'],
    ['two page sizes', `${TYPES}&pageSize=1&pageSize=2`, 'pageSize'],
    ['a day that does not exist', `${TYPES}&createdSince=2026-02-30`, 'createdSince'],
    ['an end that is not a time', `${TYPES}&createdUntil=now`, 'createdUntil'],
    [
      'a start after the end',
      `${TYPES}&createdSince=2026-06-01T13:00:01Z&createdUntil=2026-06-01T13:00:00Z`,
      'createdSince',
    ],
    ['an empty token', 'nextToken=', ''],
  ])('refuses %s', async (_what, query, field) => {
    expect(await refused(query)).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(field),
    })
  })

  test('filters reports by their current status during processing', async () => {
    const DELAY = 7_000
    const clock = new ManualClock('2026-06-01T12:00:00Z')
    const slow = new ReportsClient(await startTestSouk({ clock, delay: DELAY }))
    const begun = await slow.created()
    await beginProcessing(slow, clock, begun, DELAY)
    const queued = await slow.created()
    const inState = async (states: string) =>
      (await slow.reports(`reportTypes=${RETURNS}&processingStatuses=${states}`)).reports.map(
        ({ reportId }) => reportId,
      )
    expect(await inState('IN_QUEUE')).toEqual([queued])
    expect(await inState('IN_PROGRESS')).toEqual([begun])
    expect(await inState('IN_PROGRESS,IN_QUEUE')).toEqual([queued, begun])
    clock.advance(DELAY)
    await reportIn(slow, begun, 'DONE')
    expect(await inState('DONE')).toEqual([begun])
  })

  test('returns what was created before the clock was set back, as a process whose clock is behind does', async () => {
    const own = await startTestSouk()
    const seller = new ReportsClient(own)
    const reportId = await seller.created()
    own.clock.advance(-DAY)
    expect((await seller.reports(`reportTypes=${RETURNS}`)).reports).toMatchObject([{ reportId }])
  })

  test('returns at most the last ninety days', async () => {
    const own = await startTestSouk()
    const seller = new ReportsClient(own)
    const old = await seller.created()
    own.clock.advance(DAY)
    const young = await seller.created()
    const ids = async (more = '') =>
      (await seller.reports(`reportTypes=${RETURNS}${more}`)).reports.map(({ reportId }) => reportId)
    own.clock.advance(89 * DAY)
    expect(await ids()).toEqual([young, old])
    own.clock.advance(1)
    expect(await ids()).toEqual([young])
    expect(await ids('&createdSince=2020-01-01')).toEqual([young])
    expect(await ids('&createdUntil=2026-06-01T12:00:00Z&createdSince=2020-01-01')).toEqual([])
  })
})
