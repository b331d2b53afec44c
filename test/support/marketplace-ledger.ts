import pg from 'pg'
import { expect } from 'vitest'
import { waitFor } from './wait-for.ts'

/** What was acknowledged to the clients of a marketplace. Everything else may have happened or not. */
export interface Ledger {
  /** The numbers of acknowledged orders. */
  orders: Set<number>
  /** How many of the solicitations of an order were accepted. */
  solicited: Map<number, number>
  patches: { sku: string; acknowledged: Set<number>; lastAcknowledged: number; attempted: number }[]
  reports: Set<string>
  feeds: Set<string>
}

export interface Evidence {
  ledger: Ledger
  databaseUrl: string
  /** The notifications of a type that have arrived, as text. */
  bodies(type: string): string[]
  /** The quantity that the API returns for a SKU. */
  readQuantity(sku: string): Promise<number>
}

const FED_SKU = 'FED'

/** Nothing acknowledged is lost, nothing has happened twice, every job has ended, and every event has arrived. */
export async function expectNothingLost({ ledger, databaseUrl, bodies, readQuantity }: Evidence): Promise<void> {
  const inspector = new pg.Client(databaseUrl)
  await inspector.connect()
  const select = async (sql: string) => (await inspector.query<{ id: string; status?: string }>(sql)).rows
  const ids = async (sql: string) => (await select(sql)).map(({ id }) => id)
  const missing = <Id>(expected: Iterable<Id>, found: readonly Id[]) => {
    const all = new Set(found)
    return [...expected].filter((id) => !all.has(id))
  }

  const orders = (await ids('select order_id as id from orders')).map(numberOf)
  expect(missing(ledger.orders, orders), 'orders').toEqual([])
  const solicited = (await ids('select order_id as id from solicitations')).map(numberOf)
  const accepted = [...ledger.solicited].filter(([, count]) => count > 0)
  expect(
    missing(
      accepted.map(([number]) => number),
      solicited,
    ),
    'solicitations',
  ).toEqual([])
  expect(
    accepted.filter(([, count]) => count > 1),
    'solicited twice',
  ).toEqual([])

  // They end by themselves, even if their creation was not acknowledged.
  const stored = async (kind: 'report' | 'feed') => {
    const jobs = await waitFor(
      () => select(`select ${kind}_id as id, status from ${kind}s`),
      (rows) => rows.every(({ status }) => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS'),
    )
    expect(jobs.filter(({ status }) => status !== 'DONE')).toEqual([])
    expect(
      missing(
        ledger[`${kind}s`],
        jobs.map(({ id }) => id),
      ),
      `${kind}s`,
    ).toEqual([])
    return jobs.map(({ id }) => id)
  }
  const reports = await stored('report')
  const feeds = await stored('feed')
  expect(await ids('select job_id as id from given_up_jobs')).toEqual([])
  await inspector.end()

  const arrived = (type: string, subject: RegExp) => groupBySubject(bodies(type), subject)
  await expectEachOnce(orders.map(String), () => arrived('ORDER_CHANGE', /"AmazonOrderId":"100-0000000-0*(\d+)"/))
  await expectEachOnce(reports, () => arrived('REPORT_PROCESSING_FINISHED', /"reportId":"([^"]+)"/))
  await expectEachOnce(feeds, () => arrived('FEED_PROCESSING_FINISHED', /"feedId":"([^"]+)"/))
  const quantities = (sku: string) =>
    arrived('LISTINGS_ITEM_MFN_QUANTITY_CHANGE', new RegExp(`"Sku":"${sku}","Quantity":(\\d{3,})`))
  for (const { sku, acknowledged, lastAcknowledged, attempted } of ledger.patches) {
    await expectEachOnce([...acknowledged].map(String), () => quantities(sku), { mayHaveMore: true })
    const quantity = await readQuantity(sku)
    expect(quantity).toBeGreaterThanOrEqual(lastAcknowledged)
    expect(quantity).toBeLessThanOrEqual(attempted)
  }
  // Each feed sets another quantity.
  const fed = await waitFor(
    () => quantities(FED_SKU),
    ({ size }) => size >= feeds.length,
  )
  expect([...fed.values()].map(({ size }) => size)).toEqual(feeds.map(() => 1))
  console.log(
    `kept: ${orders.length} orders, ${solicited.length} solicitations, ${reports.length} reports, ${feeds.length} feeds, ` +
      `${ledger.patches.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)} patches`,
  )
}

const numberOf = (orderId: string) => Number(orderId.slice(-7))

/** The ids of the notifications of each subject. A repeated notification has the id of the first. */
function groupBySubject(bodies: readonly string[], subject: RegExp): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const body of bodies) {
    const [, id] = subject.exec(body) ?? []
    const [, notificationId] = /"notificationId":"([^"]+)"/i.exec(body) ?? []
    if (id && notificationId) found.set(id, (found.get(id) ?? new Set()).add(notificationId))
  }
  return found
}

/** Every subject is notified, each by one event. */
async function expectEachOnce(
  subjects: readonly string[],
  arrived: () => Map<string, Set<string>>,
  { mayHaveMore = false } = {},
): Promise<void> {
  const found = await waitFor(arrived, (all) => subjects.every((subject) => all.has(subject)))
  expect([...found].filter(([, ids]) => ids.size > 1)).toEqual([])
  if (!mayHaveMore) expect(found.size).toBe(subjects.length)
}
