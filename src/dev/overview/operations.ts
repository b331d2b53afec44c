import { formatMinor } from '../../marketplace/money.ts'
import { countAllOrders, loadDailySales, type Sales } from '../../marketplace/trade/sales.ts'
import type { VirtualClock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { countGivenUp } from '../../platform/jobs/given-up-store.ts'
import { countQueued, MAX_COUNTED } from '../../platform/jobs/job-list.ts'
import { renderClock } from '../clock/routes.ts'
import { countAllMessages } from '../queue/message-store.ts'
import type { Activity } from './activity.ts'
import { MAX_SALES, MAX_TOTAL, type Overview, SALES_DAYS } from './schema.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

export interface OverviewDependencies {
  database: Database
  clock: VirtualClock
  activity: Activity
  /** Implemented by areas. */
  countDeliveries(reader: Reader): Promise<{ pending: number; dead: number }>
  countListings(reader: Reader, limit: number): Promise<number>
}

export type OverviewOperations = ReturnType<typeof createOverviewOperations>

export function createOverviewOperations(dependencies: OverviewDependencies) {
  const { database, clock, activity, countDeliveries, countListings } = dependencies
  return {
    /** Every part has a bounded cost, because a page polls it. */
    async getOverview(): Promise<Overview> {
      const days = lastDays(clock.now())
      const state = await database.read(async (reader) => {
        const { all, running } = await countQueued(reader)
        return {
          jobs: { waiting: all - running, running, givenUp: await countGivenUp(reader, MAX_COUNTED) },
          deliveries: await countDeliveries(reader),
          queue: { messages: await countAllMessages(reader, MAX_COUNTED) },
          sales: renderSales(await loadDailySales(reader, { ...days, maxOrders: MAX_SALES }), days.dates),
          totals: {
            orders: await countAllOrders(reader, MAX_TOTAL),
            listings: await countListings(reader, MAX_TOTAL),
          },
        }
      })
      const minutes = activity.list().map(({ time, ...counts }) => ({ time: new Date(time).toISOString(), ...counts }))
      return { clock: renderClock(clock), activity: minutes, ...state }
    },
  }
}

/** The last days with today, in UTC. */
function lastDays(now: Date): { from: Date; to: Date; dates: string[] } {
  const today = now.getTime() - (now.getTime() % DAY_MILLISECONDS)
  const starts = Array.from({ length: SALES_DAYS }, (_, index) => today - (SALES_DAYS - 1 - index) * DAY_MILLISECONDS)
  return {
    from: new Date(starts[0] as number),
    to: new Date(today + DAY_MILLISECONDS),
    dates: starts.map((start) => new Date(start).toISOString().slice(0, 10)),
  }
}

function renderSales({ days, completeFrom }: Sales, dates: readonly string[]): Overview['sales'] {
  const byDate = Map.groupBy(days, ({ date }) => date)
  const complete = dates.filter((date) => date >= completeFrom)
  return complete.map((date) => {
    const ofDay = byDate.get(date) ?? []
    return {
      date,
      orders: ofDay.reduce((sum, { orders }) => sum + orders, 0),
      revenue: ofDay.map(({ currencyCode, revenueMinor }) => ({
        amount: Number(formatMinor(revenueMinor, currencyCode)),
        currencyCode,
      })),
    }
  })
}
