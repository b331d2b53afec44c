import type { Metric } from './port.ts'

/** Reads at most once in so many milliseconds, and once for all that read at the same time. A failure is not kept. */
export function cacheReads<Result>(read: () => Promise<Result>, milliseconds: number): () => Promise<Result> {
  let reading: Promise<Result> | undefined
  let expiresAt = 0
  return () => {
    if (reading && performance.now() < expiresAt) return reading
    const started = read()
    reading = started
    // Until it ends, others wait for it.
    expiresAt = Number.POSITIVE_INFINITY
    started.then(
      () => {
        expiresAt = performance.now() + milliseconds
      },
      () => {
        if (reading === started) reading = undefined
      },
    )
    return started
  }
}

/**
 * The same metrics, of which several scrapers together cost as much as one. They are read one after the other: at once, they
 * would take all connections to the database.
 */
export function cacheMetrics(metrics: readonly Metric[], milliseconds: number): Metric[] {
  let last: Promise<unknown> = Promise.resolve()
  const readNext = (metric: Metric) => {
    const reading = last.then(() => metric.read())
    last = reading.catch(() => {})
    return reading
  }
  return metrics.map((metric) => ({
    name: metric.name,
    help: metric.help,
    type: metric.type,
    ...(metric.across && { across: metric.across }),
    read: cacheReads(() => readNext(metric), milliseconds),
  }))
}
