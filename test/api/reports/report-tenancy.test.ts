import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/port.ts'
import { queryBuilder } from '../../../src/platform/database/query.ts'
import { registerApplication } from '../../support/applications.ts'
import { DAY, DOCUMENTS, REPORTS, RETURNS, ReportsClient, SCHEDULES, US } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const DELAY = 1_000
const schedule = { reportType: RETURNS, marketplaceIds: [US], period: 'P1D' }
const denied = { status: 403, code: 'Unauthorized', details: expect.stringContaining('another application') }

let souk: TestSouk
let database: Database
let client: ReportsClient
/** The token of another application that the same seller authorized. */
let token: string

beforeAll(async () => {
  ;({ souk, database } = await startWatchedSouk({ delay: DELAY }))
  client = new ReportsClient(souk)
  const other = await registerApplication(souk, 'other', { sellerIds: [souk.demo.sellerId] })
  token = await other.sellerToken(souk.demo.sellerId)
})

const db = queryBuilder<Record<'reports' | 'report_schedules', { application_id: string | null }>>()
/** Earlier versions did not store the application. */
const forgetOwners = (table: 'reports' | 'report_schedules') =>
  database.transact((tx) => tx.run(db.updateTable(table).set({ application_id: null })))

const scheduled = async (as?: string) => {
  const response = await client.send('POST', SCHEDULES, { payload: schedule, ...(as && { token: as }) })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().reportScheduleId as string
}
const schedulesOf = async () => {
  const { reportSchedules } = (await client.get(`${SCHEDULES}?reportTypes=${RETURNS}`)).json()
  return reportSchedules.map((one: { reportScheduleId: string }) => one.reportScheduleId)
}

describe('another application of the seller', () => {
  test('cannot cancel a report; the application that created it can', async () => {
    const reportId = await client.created()
    expect(errorOf(await souk.delete(`${REPORTS}/${reportId}`, { token }))).toMatchObject(denied)
    expect(await client.report(reportId)).toMatchObject({ processingStatus: 'IN_QUEUE' })
    expect((await client.delete(`${REPORTS}/${reportId}`)).statusCode).toBe(200)
  })

  test('can read a schedule but not cancel it', async () => {
    const scheduleId = await scheduled()
    const path = `${SCHEDULES}/${scheduleId}`
    expect((await souk.get(path, { token })).json()).toMatchObject({ reportScheduleId: scheduleId })
    expect(errorOf(await souk.delete(path, { token }))).toMatchObject(denied)
    expect(await schedulesOf()).toContain(scheduleId)
    expect((await client.delete(path)).statusCode).toBe(200)
  })

  test('does not replace a schedule by creating an equal one', async () => {
    const [mine, theirs] = [await scheduled(), await scheduled(token)]
    expect(await schedulesOf()).toEqual(expect.arrayContaining([mine, theirs]))
    const [again, theirsAgain] = [await scheduled(), await scheduled(token)]
    expect((await schedulesOf()).sort()).toEqual([again, theirsAgain].sort())
    expect((await client.delete(`${SCHEDULES}/${again}`)).statusCode).toBe(200)
    expect((await souk.delete(`${SCHEDULES}/${theirsAgain}`, { token })).statusCode).toBe(200)
  })
})

describe('another application of the seller, once reports are done,', () => {
  const second = (own: TestSouk) => registerApplication(own, 'other', { sellerIds: [own.demo.sellerId] })

  test('can get and list a report and download its document', async () => {
    const own = await startTestSouk()
    const report = await new ReportsClient(own).finished()
    expect(report.processingStatus).toBe('DONE')
    const token = await (await second(own)).sellerToken(own.demo.sellerId)
    expect((await own.get(`${REPORTS}/${report.reportId}`, { token })).json()).toEqual(report)
    expect((await own.get(`${REPORTS}?reportTypes=${RETURNS}`, { token })).json().reports).toEqual([report])
    expect((await own.get(`${DOCUMENTS}/${report.reportDocumentId}`, { token })).statusCode).toBe(200)
  })

  test('cannot cancel a report that a schedule created', async () => {
    const own = await startTestSouk({ delay: DELAY })
    const owner = new ReportsClient(own)
    expect((await owner.post(SCHEDULES, schedule)).statusCode).toBe(201)
    own.clock.advance(DAY)
    const { reports } = await waitFor(
      () => owner.reports(`reportTypes=${RETURNS}`),
      (found) => found.reports.length > 0,
    )
    const path = `${REPORTS}/${reports[0]?.reportId}`
    const token = await (await second(own)).sellerToken(own.demo.sellerId)
    expect(errorOf(await own.delete(path, { token }))).toMatchObject(denied)
    expect((await owner.delete(path)).statusCode).toBe(200)
  })
})

test('reports and schedules of earlier versions belong to every application of the seller', async () => {
  const other = await registerApplication(souk, 'fourth', { sellerIds: [souk.demo.sellerId] })
  const fresh = await other.sellerToken(souk.demo.sellerId)
  const [reportId, scheduleId] = [await client.created(), await scheduled()]
  await forgetOwners('reports')
  await forgetOwners('report_schedules')
  expect((await souk.delete(`${REPORTS}/${reportId}`, { token: fresh })).statusCode).toBe(200)
  expect((await souk.delete(`${SCHEDULES}/${scheduleId}`, { token: fresh })).statusCode).toBe(200)
})
