import { Histogram } from '../platform/metrics/histogram.ts'
import type { Metric, Sample } from '../platform/metrics/port.ts'

interface OperationCounts {
  operation: string
  countByStatus: Map<number, number>
  /** By the first digit of the status. */
  observeByClass: ((seconds: number) => void)[]
}

/** Count and duration of requests by operation. */
export class RequestMetrics {
  readonly #counts = new Map<string, OperationCounts>()
  readonly #duration = new Histogram(
    'souk_request_duration_seconds',
    'Time that requests took, by operation and class of the status',
  )

  get metrics(): readonly Metric[] {
    return [
      {
        name: 'souk_requests_total',
        help: 'Completed requests by operation and status',
        type: 'counter',
        read: () => [...this.#counts.values()].flatMap(samplesOf),
      },
      this.#duration,
    ]
  }

  /** Returns the function that counts the requests of one operation. Several routes may share a name. */
  forOperation(operation: string): (status: number, seconds: number) => void {
    let counts: OperationCounts | undefined
    return (status, seconds) => {
      counts ??= this.#countsOf(operation)
      const { countByStatus, observeByClass } = counts
      countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1)
      const statusClass = Math.floor(status / 100)
      observeByClass[statusClass] ??= this.#duration.withLabels({ operation, status: `${statusClass}xx` })
      observeByClass[statusClass](seconds)
    }
  }

  /** Made with the first request of the operation, because a process may have hundreds of marketplaces. */
  #countsOf(operation: string): OperationCounts {
    const counts = this.#counts.get(operation) ?? { operation, countByStatus: new Map(), observeByClass: [] }
    this.#counts.set(operation, counts)
    return counts
  }
}

const samplesOf = ({ operation, countByStatus }: OperationCounts): Sample[] =>
  [...countByStatus].map(([status, value]) => ({ labels: { operation, status: String(status) }, value }))
