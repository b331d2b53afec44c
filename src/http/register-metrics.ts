import { AggregatorRegistry, collectDefaultMetrics, type Metric as PrometheusMetric, Registry } from 'prom-client'
import { withDeadline } from '../platform/deadline.ts'
import type { Metric } from '../platform/metrics/port.ts'

// Scrapers time out after ten seconds and need all other measurements during an outage.
const READ_WITHIN_MILLISECONDS = 2_000

/** The metrics of one process at one moment, as data. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

let ofProcess: Registry | undefined

/**
 * Returns the metrics of the process, which are measured from the first call on, once for all its marketplaces: an observer
 * of its garbage collection for each would take its time.
 */
export function measureProcess(): readonly PrometheusMetric[] {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess.getMetricsAsArray() as unknown as PrometheusMetric[]
}

/** A registry of these metrics and those of the process. */
export function createRegistry(metrics: readonly Metric[]): Registry {
  const registry = new Registry()
  for (const metric of measureProcess()) registry.registerMetric(metric)
  registerMetrics(registry, metrics)
  return registry
}

/** Registers metrics. One whose reading fails or takes too long is left out of the response. */
export function registerMetrics(registry: Registry, metrics: readonly Metric[]): void {
  for (const metric of metrics) {
    const { name, help, type, across: aggregator = 'sum' } = metric
    const get = async () => {
      const values = await withDeadline(READ_WITHIN_MILLISECONDS, async () => metric.read()).catch(() => [])
      return { name, help, type, aggregator, values }
    }
    registry.registerMetric({ name, help, type, aggregator, get } as unknown as PrometheusMetric)
  }
}

/** The metrics of several processes as those of one. */
export const addUpMetrics = (values: readonly MetricValues[]): Registry => AggregatorRegistry.aggregate([...values])

/** What a process has counted, without its gauges, which end with it. */
export const totalsOf = (values: MetricValues): MetricValues => values.filter(({ type }) => String(type) !== 'gauge')
