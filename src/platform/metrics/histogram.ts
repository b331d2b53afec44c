import type { Labels, Metric, Sample } from './port.ts'

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  labels: Labels
  /** How many took up to each bound but longer than the one before. */
  countByBound: number[]
  totalSeconds: number
}

/**
 * Durations, kept in plain numbers and handed to prom-client when it is asked for them: its own histograms compute their
 * labels at every observation.
 */
export class Histogram implements Metric {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #series: Series[] = []

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  /** Returns the function that observes durations with these labels. Call it once for each combination of labels. */
  withLabels(labels: Labels = {}): (seconds: number) => void {
    const series: Series = { labels, countByBound: new Array(BOUNDS_SECONDS.length + 1).fill(0), totalSeconds: 0 }
    this.#series.push(series)
    const { countByBound } = series
    return (seconds) => {
      series.totalSeconds += seconds
      let bound = 0
      while (bound < BOUNDS_SECONDS.length && seconds > (BOUNDS_SECONDS[bound] as number)) bound++
      countByBound[bound] = (countByBound[bound] as number) + 1
    }
  }

  read(): Sample[] {
    return this.#series.flatMap((series) => this.#samplesOf(series))
  }

  #samplesOf({ labels, countByBound, totalSeconds }: Series): Sample[] {
    let count = 0
    const buckets = countByBound.map((inBound, index) => {
      count += inBound
      const metricName = `${this.name}_bucket`
      return { labels: { ...labels, le: BOUNDS_SECONDS[index] ?? '+Inf' }, value: count, metricName }
    })
    return [
      ...buckets,
      { labels, value: totalSeconds, metricName: `${this.name}_sum` },
      { labels, value: count, metricName: `${this.name}_count` },
    ]
  }
}
