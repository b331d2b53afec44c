import type { Registry } from 'prom-client'
import { cacheReads } from '../platform/metrics/cached.ts'
import type { Metric } from '../platform/metrics/port.ts'
import type { MetricValues } from './register-metrics.ts'

export type RenderMetrics = () => Promise<{ contentType: string; text: string }>

/** Processes that serve one port together, so that a scraper reaches any of them. */
export interface MetricsGroup {
  /** Says how the others read the metrics of this process. */
  join(readOwn: () => Promise<MetricValues>): void
  /** Of all processes, including this one. */
  readAll(): Promise<readonly MetricValues[]>
}

// On demand: most stand-ins are never asked for their metrics, and both loading and measuring take time and memory.
const load = () => import('./register-metrics.ts')

/** Returns the function that renders these metrics and those of the process, or those of all processes of the group. */
export function createMetricsPage(metrics: readonly Metric[], group?: MetricsGroup): RenderMetrics {
  let opened: Promise<Registry> | undefined
  const open = () => {
    opened ??= load().then(({ createRegistry }) => createRegistry(metrics))
    return opened
  }
  group?.join(async () => (await open()).getMetricsAsJSON())
  // Scrapers at the same time share one reading of all processes.
  const renderAll = group && cacheReads(async () => (await load()).addUpMetrics(await group.readAll()).metrics(), 0)
  return async () => {
    const registry = await open()
    return { contentType: registry.contentType, text: await (renderAll?.() ?? registry.metrics()) }
  }
}

/** Measures garbage collections and delays of the event loop from now on, not from the first request for metrics. */
export async function measureProcess(): Promise<void> {
  const { measureProcess: measure } = await load()
  measure()
}
