import { bodyOf, service } from '../../api/client.ts'
import type { Usage } from './per-operation.ts'
import type { Period } from './route.ts'

const DAYS: Record<Period, number> = { day: 1, week: 7, month: 30 }
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const PAGE_SIZE = 1000
/** A longer table helps no reader; the API has the rest. */
const MAX_PAGES = 10

export async function loadUsage(length: Period): Promise<Usage[]> {
  // By the clock of the marketplace, which may be far from that of the browser.
  const to = new Date((await bodyOf(service.GET('/console/v1/session'))).now)
  const from = new Date(to.getTime() - DAYS[length] * DAY_MILLISECONDS)
  const rows: Usage[] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const period = { from: from.toISOString(), to: to.toISOString(), interval: 'total' as const }
    const query = { ...period, pageSize: PAGE_SIZE, pageToken }
    const page = await bodyOf(service.GET('/operator/v1/usage', { params: { query } }))
    rows.push(...page.usage)
    pageToken = page.nextToken
    if (pageToken === undefined) break
  }
  return rows.sort((one, other) => other.requests - one.requests)
}
