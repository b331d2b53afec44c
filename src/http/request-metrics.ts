import type { Metric, Registry } from 'prom-client'

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface OperationStats {
  operation: string
  countByStatus: Map<number, number>
  /** How many requests took up to each bound but longer than the one before. */
  countByBound: number[]
  totalSeconds: number
}

/**
 * Count and duration of requests by operation. They are kept in plain numbers and handed to prom-client when it is
 * asked for them: its own counters compute their labels at every request.
 */
export class RequestMetrics {
  readonly #figures = new Map<string, OperationStats>()

  constructor(registry: Registry) {
    register(registry, 'counter', 'souk_requests_total', 'Completed requests by operation and status', () =>
      [...this.#figures.values()].flatMap(({ operation, countByStatus }) =>
        [...countByStatus].map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
      ),
    )
    const name = 'souk_request_duration_seconds'
    register(registry, 'histogram', name, 'Time that requests took, by operation', () =>
      [...this.#figures.values()]
        .filter((figures) => figures.countByStatus.size > 0)
        .flatMap((figures) => histogram(name, figures)),
    )
  }

  /** Returns the function that counts the requests of one operation. Several routes may share a name. */
  forOperation(operation: string): (status: number, seconds: number) => void {
    const figures = this.#figures.get(operation) ?? emptyStats(operation)
    this.#figures.set(operation, figures)
    const { countByStatus, countByBound } = figures
    return (status, seconds) => {
      countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1)
      figures.totalSeconds += seconds
      let bound = 0
      while (bound < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[bound] as number)) bound++
      countByBound[bound] = (countByBound[bound] as number) + 1
    }
  }
}

const emptyStats = (operation: string): OperationStats => ({
  operation,
  countByStatus: new Map(),
  countByBound: new Array<number>(BOUNDS_SECONDS.length + 1).fill(0),
  totalSeconds: 0,
})

interface MetricValue {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

function histogram(name: string, { operation, countByBound, totalSeconds }: OperationStats): MetricValue[] {
  let count = 0
  const buckets = countByBound.map((inBound, index) => {
    count += inBound
    return { labels: { le: BOUNDS_SECONDS[index] ?? '+Inf', operation }, value: count, metricName: `${name}_bucket` }
  })
  return [
    ...buckets,
    { labels: { operation }, value: totalSeconds, metricName: `${name}_sum` },
    { labels: { operation }, value: count, metricName: `${name}_count` },
  ]
}

function register(registry: Registry, type: string, name: string, help: string, values: () => MetricValue[]): void {
  const metric = { name, help, type, aggregator: 'sum', get: async () => ({ name, help, type, values: values() }) }
  registry.registerMetric(metric as unknown as Metric)
}
