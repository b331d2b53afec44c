import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startDev, temporaryFolder } from '../support/souk-process.ts'
import { pollUntil } from '../support/stored-state.ts'

const TWO_DAYS_SECONDS = 2 * 24 * 60 * 60
const STEP_MILLISECONDS = 15 * 60 * 1000
const LONG = 180_000

interface Status {
  now: string
  until: string
  counts: Record<string, number>
}

async function call(url: string, path: string, body?: object): Promise<Status> {
  const response = await fetch(`${url}/_souk/${path}`, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Status
}

test('a living market that is killed again and again does everything once', { timeout: LONG }, async () => {
  const folder = temporaryFolder()
  let { souk, url } = await startDev(folder, '--life', '3000')
  const { now } = await call(url, 'clock', { advanceSeconds: TWO_DAYS_SECONDS })
  const end = new Date(now).getTime() - STEP_MILLISECONDS

  for (const progress of [300, 1500, 3500]) {
    await pollUntil(async () => ((await call(url, 'life')).counts.orders ?? 0) > progress)
    await souk.stop('SIGKILL')
    ;({ souk, url } = await startDev(folder, '--life', '3000'))
  }
  await pollUntil(async () => new Date((await call(url, 'life')).until).getTime() >= end)
  await souk.stop()

  const database = new Sqlite(join(folder, 'souk.db'), { readonly: true })
  const { counts } = JSON.parse(
    String(database.prepare("select value from settings where name = 'life'").pluck().get()),
  )
  const count = (sql: string) => database.prepare(`select count(*) from ${sql}`).pluck().get()
  const ids = database.prepare("select order_id from orders where order_id like '601-%' order by 1").pluck().all()
  expect(ids).toEqual(Array.from({ length: counts.orders }, (_, index) => orderIdOf(index + 1)))
  expect(count("orders where order_id like '601-%' and status = 'Canceled'")).toBe(counts.cancellations)
  expect(count("order_packages where order_id like '601-%'")).toBeGreaterThan(0)
  expect(count("orders where order_id like '601-%' and delivered_at is not null")).toBe(counts.deliveries)
  expect(count("feedback where order_id like '601-%'")).toBe(counts.feedback)
  database.close()
})

const orderIdOf = (number: number) => `601-0000000-${String(number).padStart(7, '0')}`
