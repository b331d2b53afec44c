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

/** An idle database responds faster. What takes longer waits for a lock or a connection, perhaps for seconds. */
const TURN_MILLISECONDS = 100

/**
 * The same metrics, of which several scrapers together cost as much as one. They are read one after the other: at once, they
 * would take all connections to the database. One that takes long does not delay the others.
 */
export function cacheMetrics(metrics: readonly Metric[], milliseconds: number): Metric[] {
  let lastTurn: Promise<void> = Promise.resolve()
  const readInTurn = async (metric: Metric) => {
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>()
    const before = lastTurn
    lastTurn = turn
    await before
    const timer = setTimeout(endTurn, TURN_MILLISECONDS)
    try {
      return await metric.read()
    } finally {
      clearTimeout(timer)
      endTurn()
    }
  }
  return metrics.map((metric) => ({
    name: metric.name,
    help: metric.help,
    type: metric.type,
    ...(metric.across && { across: metric.across }),
    read: cacheReads(() => readInTurn(metric), milliseconds),
  }))
}
