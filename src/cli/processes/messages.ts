import type { MetricValues } from '../../http/register-metrics.ts'

/** Scrapers time out after ten seconds, and each process gives its own numbers two. */
export const GATHER_WITHIN_MILLISECONDS = 3_000

/** What the first process sends to the others. */
export type ToMember =
  | { kind: 'stop' }
  | { kind: 'readMetrics'; id: number }
  | { kind: 'metricsOfAll'; id: number; values: MetricValues[] }

/** What they send to the first process. */
export type FromMember =
  | { kind: 'joined' }
  | { kind: 'metrics'; id: number; values: MetricValues }
  | { kind: 'readMetricsOfAll'; id: number }
