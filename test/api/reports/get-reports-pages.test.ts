import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../../src/areas/reports/schema.ts'
import { DAY, FEEDBACK, MINUTE, REPORTS, RETURNS, RETURNS_FLAT_FILE, ReportsClient, US } from '../../support/reports.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: ReportsClient
let other: ReportsClient
/** In the order of creation. Groups of ten share a creation time. */
const created: string[] = []

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  other = new ReportsClient(souk, souk.demo.otherSeller.refreshToken)
  for (let group = 0; group < 3; group++) {
    for (let index = 0; index < 9; index++) created.push(await client.created({ reportType: FEEDBACK }))
    await client.created()
    await other.created({ reportType: FEEDBACK })
    souk.clock.advance(MINUTE)
  }
  await souk.idle()
})

/** Follows nextToken to the last page. */
async function walk(seller: ReportsClient, firstQuery: string, between = async () => {}): Promise<Report[][]> {
  const pages: Report[][] = []
  let query = firstQuery
  for (;;) {
    const { reports, nextToken } = await seller.reports(query)
    pages.push(reports)
    if (nextToken === undefined) return pages
    query = `nextToken=${encodeURIComponent(nextToken)}`
    await between()
  }
}
const sizes = (pages: Report[][]) => pages.map((page) => page.length)
const idsOf = (pages: Report[][]) => pages.flat().map(({ reportId }) => reportId)
const tokenOf = async (seller: ReportsClient, query: string) => (await seller.reports(query)).nextToken ?? ''
const useToken = (seller: ReportsClient, token: string, more = '') =>
  seller.get(`${REPORTS}?nextToken=${encodeURIComponent(token)}${more}`)

describe('pages of reports', () => {
  test.each<[string, number[]]>([
    ['', [10, 10, 7]],
    ['&pageSize=1', Array(27).fill(1)],
    ['&pageSize=4', [4, 4, 4, 4, 4, 4, 3]],
    ['&pageSize=9', [9, 9, 9]],
    ['&pageSize=26', [26, 1]],
    ['&pageSize=27', [27]],
    ['&pageSize=100', [27]],
  ])('with %o return every report exactly once, newest first, though many share a time', async (query, expected) => {
    const pages = await walk(client, `reportTypes=${FEEDBACK}${query}`)
    expect(sizes(pages)).toEqual(expected)
    expect(new Set(idsOf(pages))).toEqual(new Set(created))
    const times = pages.flat().map((report) => report.createdTime)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('keep the filters of the first page', async () => {
    const window = `createdSince=2026-06-01T12:01:00Z&createdUntil=2026-06-01T12:01:00Z`
    const query = `reportTypes=${FEEDBACK},${RETURNS_FLAT_FILE}&processingStatuses=DONE,FATAL&marketplaceIds=${US}&${window}&pageSize=4`
    const pages = await walk(client, query)
    expect(sizes(pages)).toEqual([4, 4, 1])
    expect(new Set(idsOf(pages))).toEqual(new Set(created.slice(9, 18)))
  })

  test('neither repeat nor skip a report when reports are created in between', async () => {
    const own = await startTestSouk()
    const seller = new ReportsClient(own)
    const ids: string[] = []
    for (let index = 0; index < 7; index++) ids.push(await seller.created())
    const pages = await walk(seller, `reportTypes=${RETURNS}&pageSize=3`, async () => {
      own.clock.advance(1)
      await seller.created()
    })
    expect(sizes(pages)).toEqual([3, 3, 1])
    expect(new Set(idsOf(pages))).toEqual(new Set(ids))
  })

  test.each([
    `reportTypes=${FEEDBACK}`,
    'processingStatuses=DONE',
    `marketplaceIds=${US}`,
    'pageSize=10',
    'createdSince=2026-06-01',
    'createdUntil=2026-06-02',
    `nextToken=x`,
  ])('are refused when the token is combined with %s', async (parameter) => {
    const token = await tokenOf(client, `reportTypes=${FEEDBACK}`)
    expect(errorOf(await useToken(client, token, `&${parameter}`))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(parameter.split('=')[0] as string),
    })
  })

  test("contain only the caller's reports, even with the token of another seller", async () => {
    const token = await tokenOf(client, `reportTypes=${FEEDBACK}`)
    const { reports } = (await useToken(other, token)).json()
    expect(reports.length).toBeGreaterThan(0)
    for (const { reportId } of reports) {
      expect(created).not.toContain(reportId)
      await other.report(reportId)
    }
  })

  test('contain no report older than ninety days, however old the token is', async () => {
    const own = await startTestSouk()
    const seller = new ReportsClient(own)
    for (let index = 0; index < 3; index++) await seller.finished()
    const token = await tokenOf(seller, `reportTypes=${RETURNS}&pageSize=1`)
    own.clock.advance(90 * DAY + 1)
    expect((await useToken(seller, token)).json()).toEqual({ reports: [] })
  })
})

describe('a page token that the service did not issue', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  /** The decoded parts of a valid token. */
  const parts = async () =>
    JSON.parse(Buffer.from(await tokenOf(client, `reportTypes=${FEEDBACK}`), 'base64url').toString())

  test.each<[string, string]>([
    ['garbage', 'garbage'],
    ['other characters', '€ + / ='],
    ['base64 of invalid UTF-8', Buffer.from([0xff, 0xfe, 0x00]).toString('base64')],
    ['an object', encode({ reportTypes: [FEEDBACK] })],
    ['a list with too few parts', encode([FEEDBACK])],
    ['a list with too many parts', encode(Array(9).fill('1'))],
    ['a list of numbers', encode(Array(8).fill(1))],
    ['a list of lists', encode(Array(8).fill([]))],
    ['a list of empty strings', encode(Array(8).fill(''))],
    ['null', encode(null)],
    ['too long', 'A'.repeat(4001)],
  ])('is refused: %s', async (_what, token) => {
    expect(errorOf(await useToken(client, token))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test.each(['NaN', '-1', '0', '1.5', '101', '1e9', 'Infinity', '', ' ', 'x', '\0'])(
    'is refused when its page size is %o',
    async (size) => {
      const altered = (await parts()).with(5, size)
      expect(errorOf(await useToken(client, encode(altered)))).toMatchObject({ status: 400, code: 'InvalidInput' })
    },
  )

  test.each<[string, number, string]>([
    ['types', 0, Array(11).fill(FEEDBACK).join(',')],
    ['marketplaces', 2, Array(1350).fill('A').join(',')],
  ])('is refused when it names more %s than a query may', async (_what, part, value) => {
    const altered = (await parts()).with(part, value)
    expect(errorOf(await useToken(client, encode(altered)))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test.each(['', '\0', '\ud800', "'", '%', ',', 'NaN', '+275760-09-13T00:00:00.000Z', '-1', 'x'.repeat(300)])(
    'never causes an internal error, whichever of its parts is %o',
    async (value) => {
      const real: string[] = await parts()
      for (const index of real.keys()) {
        const { statusCode } = await useToken(client, encode(real.with(index, value)))
        expect({ index, statusCode }).toEqual({ index, statusCode: expect.toSatisfy((it) => it === 200 || it === 400) })
      }
    },
  )
})
