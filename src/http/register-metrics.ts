import type { Metric as PrometheusMetric, Registry } from 'prom-client'
import { withDeadline } from '../platform/deadline.ts'
import type { Metric } from '../platform/metrics/port.ts'

// Scrapers time out after ten seconds and need all other measurements during an outage.
const READ_WITHIN_MILLISECONDS = 2_000

/** Registers metrics. One whose reading fails or takes too long is left out of the response. */
export function registerMetrics(registry: Registry, metrics: readonly Metric[]): void {
  for (const metric of metrics) {
    const { name, help, type } = metric
    const get = async () => {
      const values = await withDeadline(READ_WITHIN_MILLISECONDS, async () => metric.read()).catch(() => [])
      return { name, help, type, values }
    }
    registry.registerMetric({ name, help, type, aggregator: 'sum', get } as unknown as PrometheusMetric)
  }
}
