import { addUpMetrics, type MetricValues, totalsOf } from '../../http/register-metrics.ts'

/**
 * The last known metrics of each process. A sum that leaves out a process which is busy or has ended would go down, and
 * Prometheus takes that for a restart of all.
 */
export class MemberMetrics {
  readonly #last = new Map<number, MetricValues>()
  #ofEnded: readonly MetricValues[] = []

  update(id: number, values: MetricValues): void {
    this.#last.set(id, values)
  }

  /** Keeps what a process that has ended counted. */
  keepTotals(id: number): void {
    const last = this.#last.get(id)
    if (!last) return
    this.#last.delete(id)
    this.#ofEnded = [...this.#ofEnded, totalsOf(last)]
  }

  async all(): Promise<MetricValues[]> {
    const ofEnded = this.#ofEnded
    if (ofEnded.length > 1) {
      const sum = await addUpMetrics(ofEnded).getMetricsAsJSON()
      if (this.#ofEnded === ofEnded) this.#ofEnded = [sum]
    }
    return [...this.#last.values(), ...this.#ofEnded]
  }
}
