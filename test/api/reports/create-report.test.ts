import { beforeAll, describe, expect, test } from 'vitest'
import type { Return } from '../../../src/marketplace/trade/returns.ts'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  beginProcessing,
  DE,
  NOTHING_HAPPENED,
  parseFlatFile,
  putOperatorData,
  RETURNS,
  RETURNS_FLAT_FILE,
  ReportsClient,
  reportIn,
  US,
} from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { WatchedClock } from '../../support/watched-clock.ts'

let souk: TestSouk
let client: ReportsClient

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
})

describe('createReport', () => {
  test('answers 202 with the id of the report, eleven or twelve digits as text', async () => {
    const response = await client.createReport()
    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({ reportId: expect.stringMatching(/^\d{11,12}$/) })
  })

  test('needs a type and marketplaces only: the returns of the demo marketplace are there', async () => {
    const report = await client.finished({ reportType: RETURNS, marketplaceIds: [US] })
    expect(report).toMatchObject({
      processingStatus: 'DONE',
      dataStartTime: '2026-04-02T12:00:00+00:00',
      dataEndTime: '2026-06-01T12:00:00+00:00',
    })
  })

  test('takes reports of several marketplaces, and of one that is named twice', async () => {
    const report = await client.finished({ marketplaceIds: [US, DE, US] })
    expect(report).toMatchObject({ marketplaceIds: [US, DE], processingStatus: 'DONE' })
  })

  test('takes options, and ignores keys that it does not know', async () => {
    const report = await client.finished({ reportOptions: { custom: 'true', 'a b': '' }, MarketplaceId: 7, path: {} })
    expect(report.processingStatus).toBe('DONE')
  })

  test('makes different reports of the same request, also of twenty at once, and all of them end', async () => {
    const reportIds = await Promise.all(Array.from({ length: 20 }, () => client.created()))
    expect(new Set(reportIds).size).toBe(20)
    await souk.idle()
    const reports = await Promise.all(reportIds.map((reportId) => client.report(reportId)))
    expect(reports.map((report) => report.processingStatus)).toEqual(Array(20).fill('DONE'))
    expect(new Set(reports.map((report) => report.reportDocumentId)).size).toBe(20)
  })

  test('has it made at once, without waiting for the next look at the queue', async () => {
    await reportIn(client, await client.created(), 'DONE')
  })

  test('ends CANCELLED when there is nothing to tell: with times, without a document', async () => {
    const report = await client.finished(NOTHING_HAPPENED)
    expect(report).toMatchObject({
      processingStatus: 'CANCELLED',
      processingStartTime: '2026-06-01T12:00:00+00:00',
      processingEndTime: '2026-06-01T12:00:00+00:00',
    })
    expect(report).not.toHaveProperty('reportDocumentId')
  })
})

describe('the states of a report', () => {
  test('are IN_QUEUE, IN_PROGRESS and DONE, and each shows what is known by then', async () => {
    const DELAY = 7_000
    const clock = new WatchedClock('2026-06-01T12:00:00.999Z')
    const slow = new ReportsClient(await startTestSouk({ clock, delay: DELAY }))
    const reportId = await slow.created({ reportType: RETURNS, marketplaceIds: [US] })

    const queued = {
      reportId,
      reportType: RETURNS,
      marketplaceIds: [US],
      processingStatus: 'IN_QUEUE',
      createdTime: '2026-06-01T12:00:00+00:00',
      dataStartTime: '2026-04-02T12:00:00+00:00',
      dataEndTime: '2026-06-01T12:00:00+00:00',
    }
    expect(await slow.report(reportId)).toEqual(queued)

    const inProgress = await beginProcessing(slow, clock, reportId, DELAY)
    const begun = { ...queued, processingStatus: 'IN_PROGRESS', processingStartTime: '2026-06-01T12:00:07+00:00' }
    expect(inProgress).toEqual(begun)

    clock.advance(DELAY)
    expect(await reportIn(slow, reportId, 'DONE')).toEqual({
      ...begun,
      processingStatus: 'DONE',
      processingEndTime: '2026-06-01T12:00:14+00:00',
      reportDocumentId: expect.stringMatching(/^amzn1\.spdoc\.1\.\d+\.[\w.-]+$/),
    })
  })
})

describe('the time that a report covers', () => {
  const REQUESTED = [
    '2026-05-10T09:59:59.999Z',
    '2026-05-10T10:00:00.000Z',
    '2026-05-15T00:00:00.000Z',
    '2026-05-20T10:00:00.000Z',
    '2026-05-20T10:00:00.001Z',
  ]
  let seller: ReportsClient

  beforeAll(async () => {
    seller = await addSeller(souk, 'A3WINDOW')
    const order = buildOrder(souk.clock.now(), { sellerId: 'A3WINDOW', orderId: '900-0000000-0000001' })
    const returns = REQUESTED.map(
      (requestedAt, index): Return => ({
        sellerId: 'A3WINDOW',
        rmaId: `RMA-${index}`,
        orderId: order.orderId,
        requestedAt,
        status: 'Approved',
        items: [{ orderItemId: '10000000000001', quantity: 1, reasonCode: 'CR-DEFECTIVE' }],
      }),
    )
    await putOperatorData(souk, { orders: [order], returns })
  })

  const rmaIds = async (window: object) => {
    const [, ...rows] = parseFlatFile(await seller.text({ reportType: RETURNS_FLAT_FILE, ...window }))
    return rows.map((row) => row[4])
  }

  test('begins with dataStartTime and ends with dataEndTime, both included', async () => {
    const window = { dataStartTime: '2026-05-10T10:00:00Z', dataEndTime: '2026-05-20T10:00:00Z' }
    expect(await rmaIds(window)).toEqual(['RMA-1', 'RMA-2', 'RMA-3'])
  })

  test('may be a single moment', async () => {
    const moment = '2026-05-15T00:00:00Z'
    expect(await rmaIds({ dataStartTime: moment, dataEndTime: moment })).toEqual(['RMA-2'])
  })

  test('ends now unless it is said when', async () => {
    expect(await rmaIds({ dataStartTime: '2026-05-20T10:00:00Z' })).toEqual(['RMA-3', 'RMA-4'])
  })

  test('begins sixty days before its end, for returns, unless it is said when', async () => {
    const report = await seller.finished({ dataEndTime: '2026-05-12T00:00:00Z' })
    expect(report.dataStartTime).toBe('2026-03-13T00:00:00+00:00')
    expect(await rmaIds({ dataEndTime: '2026-05-12T00:00:00Z' })).toEqual(['RMA-0', 'RMA-1'])
  })

  test.each([
    ['a bare date', '2026-05-15', '2026-05-15T00:00:00+00:00'],
    ['an offset', '2026-05-15T02:00:00+02:00', '2026-05-15T00:00:00+00:00'],
    ['an offset without a colon', '2026-05-14T19:00:00-0500', '2026-05-15T00:00:00+00:00'],
    ['minutes only', '2026-05-15T00:00Z', '2026-05-15T00:00:00+00:00'],
    ['milliseconds', '2026-05-15T00:00:00.000Z', '2026-05-15T00:00:00+00:00'],
    ['nanoseconds', '2026-05-15T00:00:00.000000000Z', '2026-05-15T00:00:00+00:00'],
    ['a leap day', '2024-02-29', '2024-02-29T00:00:00+00:00'],
  ])('may be written with %s', async (_what, dataStartTime, shown) => {
    const report = await seller.finished({ dataStartTime })
    expect(report).toMatchObject({ dataStartTime: shown, processingStatus: 'DONE' })
  })
})
