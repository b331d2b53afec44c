import { percentile } from './median.ts'
import { logProgress } from './progress.ts'
import type { Round } from './table.ts'

/**
 * Compares how long a light call takes beside heavy work with how long it takes without. Without is before and after:
 * what else the machine does may change within a minute. Both measures return milliseconds.
 */
export async function compareLatencies(
  call: string,
  measureIdle: () => Promise<number[]>,
  measureBusy: () => Promise<number[]>,
): Promise<{ p50: Round; p99: Round }> {
  const before = await measureIdle()
  const busy = await measureBusy()
  const idle = [...before, ...(await measureIdle())]
  logProgress(`${call} was sent ${busy.length} times beside the work, ${idle.length} times without`)
  const inMicroseconds = (share: number): Round => ({
    ours: percentile(busy, share) * 1000,
    baseline: percentile(idle, share) * 1000,
  })
  return { p50: inMicroseconds(0.5), p99: inMicroseconds(0.99) }
}
