import { describe, expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import { type BazaarSeller, createReportMarketplace, ROWS } from '../support/process-marketplace.ts'
import { startDevIn, startProcesses, urlOf } from '../support/service-processes.ts'
import { type SoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { pollUntil, readSqliteState, type StoredReport, type StoredState } from '../support/stored-state.ts'

const REPORTS = 12
const MINUTE = 60_000
const LONG = 120_000

async function advanceClock(url: string, seconds: number): Promise<void> {
  const response = await fetch(`${url}/_souk/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: seconds }),
  })
  expect(response.status).toBe(200)
}

const createReports = (seller: BazaarSeller, url: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => seller.createReport(url)))

const count = (reports: StoredReport[], status: string) => reports.filter((report) => report.status === status).length

/** Kills processes like a power failure, and records their files and output. */
function executioner(remains: StoredState) {
  const left: StoredReport[][] = []
  const said: string[] = []
  return {
    left,
    said,
    async kill(...processes: SoukProcess[]): Promise<StoredReport[]> {
      const endings = await Promise.all(processes.map((souk) => souk.stop('SIGKILL')))
      said.push(...endings.map(({ stdout }) => stdout))
      const reports = await remains.reports()
      left.push(reports)
      return reports
    },
  }
}

async function expectEachDoneOnce(
  { remains, seller, url }: { remains: StoredState; seller: BazaarSeller; url: string },
  reportIds: string[],
  { left, said }: Pick<ReturnType<typeof executioner>, 'left' | 'said'>,
): Promise<void> {
  const reports = await seller.getReports(url)
  expect(reports.map(({ reportId }) => reportId).sort()).toEqual([...reportIds].sort())
  for (const report of reports) {
    expect(report).toMatchObject({ processingStatus: 'DONE', processingEndTime: expect.any(String) })
    expect(await seller.countRows(url, report.reportDocumentId)).toBe(ROWS)
  }
  // No report has two documents, and no document is without a report.
  expect(remains.documents()).toEqual(reports.map(({ reportDocumentId }) => reportDocumentId).sort())
  expect(await remains.jobs()).toEqual([])

  // Nothing was done twice, neither then nor now.
  const stored = await remains.reports()
  for (const done of left.flat().filter(({ status }) => status === 'DONE')) expect(stored).toContainEqual(done)
  const ends = said.flatMap((text) => [...text.matchAll(/"reportId":"(\d+)".*"msg":"report done"/g)])
  const named = ends.map(([, reportId]) => reportId)
  expect(new Set(named).size).toBe(named.length)
  expect(await seller.getReports(url)).toEqual(reports)
}

describe('every requested report is created once', () => {
  test('when souk dev is killed before, at the start, while writing and in between', { timeout: LONG }, async () => {
    const folder = temporaryFolder()
    const remains = readSqliteState(folder)
    const { kill, ...deaths } = executioner(remains)

    let dev = startDevIn(folder, { delay: MINUTE })
    let url = await urlOf(dev)
    const seller = await createReportMarketplace(url, demo.operatorKey)
    const reportIds = await createReports(seller, url, REPORTS)
    expect(count(await kill(dev), 'IN_QUEUE')).toBe(REPORTS)

    dev = startDevIn(folder, { delay: MINUTE })
    url = await urlOf(dev)
    await advanceClock(url, MINUTE / 1000)
    await pollUntil(async () => count(await remains.reports(), 'IN_PROGRESS') > 0)
    expect(count(await kill(dev), 'DONE')).toBe(0)

    dev = startDevIn(folder, { delay: 0 })
    await advanceClock(await urlOf(dev), MINUTE / 1000)
    await pollUntil(() => remains.begun().length > 0)
    await kill(dev)
    expect(remains.begun()).not.toEqual([])

    dev = startDevIn(folder, { delay: 0 })
    await pollUntil(async () => count(await remains.reports(), 'DONE') > 0)
    expect(count(await kill(dev), 'DONE')).toBeLessThan(REPORTS)

    dev = startDevIn(folder, { delay: 0 })
    url = await urlOf(dev)
    await pollUntil(async () => count(await remains.reports(), 'DONE') === REPORTS)
    await expectEachDoneOnce({ remains, seller, url }, reportIds, deaths)
  })

  test('when souk serve and souk worker are killed, and one of two workers', { timeout: LONG }, async () => {
    const { env, remains, startServe, startWorker } = await startProcesses({ leaseSeconds: 3 })
    const { kill, ...deaths } = executioner(remains)

    let { serve, url } = await startServe()
    const seller = await createReportMarketplace(url, env.SOUK_OPERATOR_KEY)
    const reportIds = await createReports(seller, url, REPORTS)
    expect(count(await kill(serve), 'IN_QUEUE')).toBe(REPORTS)

    const first = startWorker()
    await pollUntil(() => remains.begun().length > 0)
    await kill(first)
    expect(remains.begun()).not.toEqual([])

    const second = startWorker()
    await pollUntil(async () => count(await remains.reports(), 'DONE') > 0)
    expect(count(await kill(second), 'DONE')).toBeLessThan(REPORTS)

    ;({ serve, url } = await startServe())
    const [third, fourth] = [startWorker(), startWorker()]
    await Promise.all([third, fourth].map((worker) => worker.waitFor(/worker started/)))
    reportIds.push(...(await createReports(seller, url, 4)))
    const begins = (worker: SoukProcess) => worker.waitFor(/report in progress/).then(() => worker)
    await kill(await Promise.race([begins(third), begins(fourth)]))
    await pollUntil(async () => count(await remains.reports(), 'DONE') === reportIds.length)
    await expectEachDoneOnce({ remains, seller, url }, reportIds, deaths)
  })
})

describe('a report in progress when the process gets a stop signal', () => {
  test('is released by souk dev, which exits with code 0, and is created after the next start', async () => {
    const folder = temporaryFolder()
    const remains = readSqliteState(folder)
    const before = startDevIn(folder, { delay: MINUTE })
    const url = await urlOf(before)
    const seller = await createReportMarketplace(url, demo.operatorKey)
    await createReports(seller, url, 2)
    await advanceClock(url, MINUTE / 1000)
    await pollUntil(async () => count(await remains.reports(), 'IN_PROGRESS') === 2)
    expect(await before.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(await remains.jobs()).toEqual(Array(2).fill({ failures: 0, lease: null }))

    const after = startDevIn(folder, { delay: 0 })
    await advanceClock(await urlOf(after), MINUTE / 1000)
    await pollUntil(async () => count(await remains.reports(), 'DONE') === 2)
    expect(await after.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  test('moves from one souk worker to the next before the lease expires, and leaves no partial document', async () => {
    const { env, remains, startServe, startWorker } = await startProcesses({ leaseSeconds: 3600 })
    const { url } = await startServe()
    const seller = await createReportMarketplace(url, env.SOUK_OPERATOR_KEY)
    await createReports(seller, url, 4)
    const first = startWorker()
    await pollUntil(() => remains.begun().length > 0)
    expect(await first.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(await remains.jobs()).toContainEqual({ failures: 0, lease: null })
    expect(remains.begun()).toEqual([])

    startWorker()
    await pollUntil(async () => count(await remains.reports(), 'DONE') === 4)
  })
})

test('moving the clock of souk dev triggers a schedule', async () => {
  const dev = startDevIn(temporaryFolder(), { delay: 0 })
  const url = await urlOf(dev)
  const seller = await createReportMarketplace(url, demo.operatorKey)
  const scheduleId = await seller.createSchedule(url, new Date(Date.now() + 10 * MINUTE))
  await advanceClock(url, 9 * 60)
  expect(await seller.getReports(url)).toEqual([])
  await advanceClock(url, 60)
  await pollUntil(async () => (await seller.getReports(url))[0]?.processingStatus === 'DONE')
  expect(await seller.getReports(url)).toMatchObject([{ reportScheduleId: scheduleId }])
})
