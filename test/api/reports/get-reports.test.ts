import { beforeAll, describe, expect, test } from 'vitest'
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
import { WatchedClock } from '../../support/watched-clock.ts'

let souk: TestSouk
let client: ReportsClient
const names = new Map<string, string>()

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  await new ReportsClient(souk, souk.demo.otherSeller.refreshToken).finished()
  // From 12:00 on, one an hour.
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

/** The names of the reports that are listed, in the order of the list. */
const listed = async (query: string) =>
  (await client.reports(query)).reports.map(({ reportId }) => names.get(reportId) ?? reportId)
const refused = async (query: string) => errorOf(await client.get(`${REPORTS}?${query}`))

const TYPES = `reportTypes=${RETURNS},${RETURNS_FLAT_FILE},${FEEDBACK}`

describe('getReports', () => {
  test('shows each report as getReport does, and no token when that is all', async () => {
    const { reports, ...rest } = await client.reports(TYPES)
    expect(rest).toEqual({})
    expect(reports).toHaveLength(5)
    for (const report of reports) expect(report).toEqual(await client.report(report.reportId))
  })

  test.each<[string, string, string[]]>([
    ['by one type', `reportTypes=${RETURNS}`, ['xmlNothing', 'xmlBoth', 'xmlUs']],
    ['by several types', TYPES, ['feedbackUs', 'flatDe', 'xmlNothing', 'xmlBoth', 'xmlUs']],
    [
      'by types that repeat the key',
      `reportTypes=${FEEDBACK}&reportTypes=${RETURNS_FLAT_FILE}`,
      ['feedbackUs', 'flatDe'],
    ],
    ['by types with an escaped comma', `reportTypes=${FEEDBACK}%2C${RETURNS_FLAT_FILE}`, ['feedbackUs', 'flatDe']],
    ['by a type of which there is none', 'reportTypes=GET_MERCHANT_LISTINGS_DATA', []],
    ['by a type that nobody knows', 'reportTypes=GET_NOTHING', []],
    ['by state', `${TYPES}&processingStatuses=CANCELLED`, ['xmlNothing']],
    [
      'by several states',
      `${TYPES}&processingStatuses=CANCELLED,DONE`,
      ['feedbackUs', 'flatDe', 'xmlNothing', 'xmlBoth', 'xmlUs'],
    ],
    ['by states that repeat the key', `${TYPES}&processingStatuses=FATAL&processingStatuses=IN_QUEUE`, []],
    ['by marketplace', `${TYPES}&marketplaceIds=${DE}`, ['flatDe', 'xmlBoth']],
    [
      'by several marketplaces',
      `${TYPES}&marketplaceIds=${US},${DE}`,
      ['feedbackUs', 'flatDe', 'xmlNothing', 'xmlBoth', 'xmlUs'],
    ],
    ['by a marketplace of which there is none', `${TYPES}&marketplaceIds=${JP}`, []],
    ['by half the id of a marketplace', `${TYPES}&marketplaceIds=ATVPDKIKX`, []],
    ['from a moment on, which is included', `${TYPES}&createdSince=2026-06-01T15:00:00Z`, ['feedbackUs', 'flatDe']],
    ['until a moment, which is included', `${TYPES}&createdUntil=2026-06-01T13:00:00Z`, ['xmlBoth', 'xmlUs']],
    [
      'between two moments with offsets',
      `${TYPES}&createdSince=2026-06-01T15:00:00%2B02:00&createdUntil=2026-06-01T09:00:00-05:00`,
      ['xmlNothing', 'xmlBoth'],
    ],
    ['of a day', `${TYPES}&createdSince=2026-06-01&createdUntil=2026-06-01`, []],
    [
      'by all of it together',
      `${TYPES}&processingStatuses=DONE&marketplaceIds=${US}&createdSince=2026-06-01T13:00:00Z&createdUntil=2026-06-01T15:00:00Z&pageSize=5`,
      ['xmlBoth'],
    ],
    ['by type, whatever else is in the address', `reportTypes=${FEEDBACK}&MarketplaceId=1&x`, ['feedbackUs']],
  ])('narrows down %s, the newest first', async (_how, query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  test.each<[string, string, string]>([
    ['neither types nor a token', '', 'reportTypes'],
    ['a filter without types', 'processingStatuses=DONE', 'reportTypes'],
    ['no type', 'reportTypes=', 'reportTypes'],
    ['eleven types', `reportTypes=${Array(11).fill(RETURNS)}`, 'reportTypes'],
    ['an unknown state', `${TYPES}&processingStatuses=DONE,GONE`, 'processingStatuses'],
    ['a state in small letters', `${TYPES}&processingStatuses=done`, 'processingStatuses'],
    ['eleven marketplaces', `${TYPES}&marketplaceIds=${Array(11).fill(US)}`, 'marketplaceIds'],
    ['a marketplace that is no id', `${TYPES}&marketplaceIds=%25`, 'marketplaceIds'],
    ['a page of none', `${TYPES}&pageSize=0`, 'pageSize'],
    ['a page of minus one', `${TYPES}&pageSize=-1`, 'pageSize'],
    ['a page of 101', `${TYPES}&pageSize=101`, 'pageSize'],
    ['half a page', `${TYPES}&pageSize=1.5`, 'pageSize'],
    ['a page size that is no number', `${TYPES}&pageSize=many`, 'pageSize'],
    ['two page sizes', `${TYPES}&pageSize=1&pageSize=2`, 'pageSize'],
    ['a day that does not exist', `${TYPES}&createdSince=2026-02-30`, 'createdSince'],
    ['an end that is no time', `${TYPES}&createdUntil=now`, 'createdUntil'],
    [
      'a start after the end',
      `${TYPES}&createdSince=2026-06-01T13:00:01Z&createdUntil=2026-06-01T13:00:00Z`,
      'createdSince',
    ],
    ['a token that is empty', 'nextToken=', ''],
  ])('refuses %s', async (_what, query, place) => {
    expect(await refused(query)).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(place),
    })
  })

  test('shows reports by the states that they are in while they are worked on', async () => {
    const DELAY = 7_000
    const clock = new WatchedClock('2026-06-01T12:00:00Z')
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

  test('shows the last ninety days, also when more are asked for', async () => {
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
