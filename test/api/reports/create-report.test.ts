import { beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../src/index.ts'
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

let souk: TestSouk
let client: ReportsClient

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
})

describe('createReport', () => {
  test('returns 202 with the id of the report, a string of eleven or twelve digits', async () => {
    const response = await client.createReport()
    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({ reportId: expect.stringMatching(/^\d{11,12}$/) })
  })

  test('requires only a type and marketplaces, and reports the returns of the demo marketplace', async () => {
    const report = await client.finished({ reportType: RETURNS, marketplaceIds: [US] })
    expect(report).toMatchObject({
      processingStatus: 'DONE',
      dataStartTime: '2026-04-02T12:00:00+00:00',
      dataEndTime: '2026-06-01T12:00:00+00:00',
    })
  })

  test('accepts several marketplaces, and a marketplace that is named twice', async () => {
    const report = await client.finished({ marketplaceIds: [US, DE, US] })
    expect(report).toMatchObject({ marketplaceIds: [US, DE], processingStatus: 'DONE' })
  })

  test('accepts options and ignores unknown keys', async () => {
    const report = await client.finished({ reportOptions: { custom: 'true', 'a b': '' }, MarketplaceId: 7, path: {} })
    expect(report.processingStatus).toBe('DONE')
  })

  test('creates a report per request: twenty equal concurrent requests create twenty reports, which all finish', async () => {
    const reportIds = await Promise.all(Array.from({ length: 20 }, () => client.created()))
    expect(new Set(reportIds).size).toBe(20)
    await souk.idle()
    const reports = await Promise.all(reportIds.map((reportId) => client.report(reportId)))
    expect(reports.map((report) => report.processingStatus)).toEqual(Array(20).fill('DONE'))
    expect(new Set(reports.map((report) => report.reportDocumentId)).size).toBe(20)
  })

  test('starts processing immediately, without waiting for the next poll', async () => {
    await reportIn(client, await client.created(), 'DONE')
  })

  test('ends CANCELLED if there is no data: with times, without a document', async () => {
    const report = await client.finished(NOTHING_HAPPENED)
    expect(report).toMatchObject({
      processingStatus: 'CANCELLED',
      processingStartTime: '2026-06-01T12:00:00+00:00',
      processingEndTime: '2026-06-01T12:00:00+00:00',
    })
    expect(report).not.toHaveProperty('reportDocumentId')
  })
})

describe('the statuses of a report', () => {
  test('are IN_QUEUE, IN_PROGRESS and DONE, each with the fields known so far', async () => {
    const DELAY = 7_000
    const clock = new ManualClock('2026-06-01T12:00:00.999Z')
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

describe('the data period of a report', () => {
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
    const one = buildOrder(souk.clock.now(), { sellerId: 'A3WINDOW', orderId: '900-0000000-0000001' })
    const order = { ...one, items: one.items.map((item) => ({ ...item, quantity: REQUESTED.length })) }
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

  test('starts with dataStartTime and ends with dataEndTime, both inclusive', async () => {
    const window = { dataStartTime: '2026-05-10T10:00:00Z', dataEndTime: '2026-05-20T10:00:00Z' }
    expect(await rmaIds(window)).toEqual(['RMA-1', 'RMA-2', 'RMA-3'])
  })

  test('can be a single instant', async () => {
    const instant = '2026-05-15T00:00:00Z'
    expect(await rmaIds({ dataStartTime: instant, dataEndTime: instant })).toEqual(['RMA-2'])
  })

  test('ends now by default', async () => {
    expect(await rmaIds({ dataStartTime: '2026-05-20T10:00:00Z' })).toEqual(['RMA-3', 'RMA-4'])
  })

  test('starts sixty days before its end by default, for returns', async () => {
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
  ])('accepts times with %s', async (_what, dataStartTime, shown) => {
    const report = await seller.finished({ dataStartTime })
    expect(report).toMatchObject({ dataStartTime: shown, processingStatus: 'DONE' })
  })
})
