import { Histogram } from './histogram.ts'
import type { Metric } from './port.ts'

/** Measures asynchronous calls by name and result. The names must come from a fixed list. */
export class TimedCalls {
  readonly #duration: Histogram
  readonly #label: string
  readonly #observers = new Map<string, (seconds: number) => void>()

  constructor(name: string, help: string, label: string) {
    this.#duration = new Histogram(name, help)
    this.#label = label
  }

  get metric(): Metric {
    return this.#duration
  }

  async run<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    let result = 'failed'
    try {
      const value = await call()
      result = 'ok'
      return value
    } finally {
      this.#observerOf(name, result)((performance.now() - began) / 1000)
    }
  }

  #observerOf(name: string, result: string): (seconds: number) => void {
    const key = `${name} ${result}`
    const known = this.#observers.get(key)
    if (known) return known
    const observe = this.#duration.withLabels({ [this.#label]: name, result })
    this.#observers.set(key, observe)
    return observe
  }
}
