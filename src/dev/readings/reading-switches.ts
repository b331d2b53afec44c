import { defaultReadings, type Readings } from '../../platform/readings.ts'

/** The readings of a running stand-in. The areas keep a reference to `current`, which changes in place. */
export class ReadingSwitches {
  readonly current: Readonly<Readings>
  readonly #atStart: Readonly<Readings>

  /** A fork begins with other readings than those that a reset returns to. */
  constructor(atStart: Partial<Readings> = {}, current: Partial<Readings> = {}) {
    this.#atStart = { ...defaultReadings, ...atStart }
    this.current = { ...this.#atStart, ...current }
  }

  change(readings: Partial<Readings>): Readings {
    Object.assign(this.current, readings)
    return { ...this.current }
  }

  reset(): void {
    this.change(this.#atStart)
  }
}
