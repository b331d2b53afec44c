export type Labels = Readonly<Record<string, string | number>>

export interface Sample {
  labels: Labels
  value: number
  /** Only of histograms, whose samples have names of their own. */
  metricName?: string
}

/** What `/metrics` shows under one name. It is read when it is scraped. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** What counts of the values of several processes that serve together. Default: their sum. */
  across?: 'sum' | 'min' | 'max'
  read(): readonly Sample[] | Promise<readonly Sample[]>
}
