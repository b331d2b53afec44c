import type { Metric, Sample } from './port.ts'

/** Counts, by the values of one label. The values must come from a fixed list, never from a client. */
export class Counter implements Metric {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #label: string
  readonly #counts = new Map<string, number>()

  /** Values of the label that are listed are shown from the start, so that the first increase is visible. */
  constructor(name: string, help: string, { label, values = [] }: { label: string; values?: readonly string[] }) {
    this.name = name
    this.help = help
    this.#label = label
    for (const value of values) this.#counts.set(value, 0)
  }

  add(labelValue: string, count = 1): void {
    this.#counts.set(labelValue, (this.#counts.get(labelValue) ?? 0) + count)
  }

  read(): Sample[] {
    return [...this.#counts].map(([labelValue, value]) => ({ labels: { [this.#label]: labelValue }, value }))
  }
}
