import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { logProgress } from './support/progress.ts'
import { startSouk } from './support/souk-process.ts'
import { atLeastAbsolute, atMost, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const WEEK_SECONDS = 7 * 24 * 60 * 60
const ORDERS_PER_DAY = 1_500
const POLL_MILLISECONDS = 20

/** A week of trade, from the move of the clock until everything has happened. */
export async function measureLife(): Promise<Figure[]> {
  using folder = makeTempFolder()
  await using souk = await startSouk(join(folder.path, 'data'))
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${souk.url}/_souk/${path}`, {
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json() as Promise<{ now: string; until: string; counts: { orders: number } }>
  }
  await call('life', { seed: 1, ordersPerDay: ORDERS_PER_DAY })
  const started = performance.now()
  const { now } = await call('clock', { advanceSeconds: WEEK_SECONDS })
  // The last step is due a few minutes after the clock.
  const end = new Date(new Date(now).getTime() - 15 * 60 * 1000).toISOString()
  let status = await call('life')
  while (status.until < end) {
    await sleep(POLL_MILLISECONDS)
    status = await call('life')
  }
  const seconds = (performance.now() - started) / 1000
  logProgress(`${status.counts.orders} orders in ${seconds.toFixed(1)} s`)
  return [
    atLeastAbsolute(10_000, 'orders in a week of life', 'orders', status.counts.orders),
    atMost(10, 'a week of life on SQLite', 's', seconds),
  ]
}
