import { findLastOrderIds } from '../../marketplace/trade/orders.ts'
import type { Reader } from '../../platform/database/port.ts'

const FIRST_PREFIX = 600
const PREFIXES = 100

const prefixOf = (run: number) => String(FIRST_PREFIX + (run % PREFIXES))

/** 600 to 699 by the run, then the number of the order. */
export function toOrderId(run: number, number: number): string {
  const digits = String(number + 1).padStart(14, '0')
  return `${prefixOf(run)}-${digits.slice(0, 7)}-${digits.slice(7)}`
}

/**
 * Finds a run after the last one whose order ids do not exist, and the number of the first: an import has the orders of
 * earlier runs, but not the runs.
 */
export async function findUnusedIds(reader: Reader, lastRun: number): Promise<{ run: number; orderNumber: number }> {
  const last = await findLastOrderIds(reader, String(FIRST_PREFIX), String(FIRST_PREFIX + PREFIXES))
  const runs = Array.from({ length: PREFIXES }, (_, index) => {
    const run = lastRun + 1 + index
    return { run, orderNumber: Number(last.get(prefixOf(run))?.slice(4).replace('-', '') ?? 0) }
  })
  return runs.reduce((best, one) => (one.orderNumber < best.orderNumber ? one : best))
}
