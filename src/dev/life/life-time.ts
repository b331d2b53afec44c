import type { Clock } from '../../platform/clock/port.ts'
import type { IdKind, Ids } from '../../platform/ids/port.ts'

/** The time of the step that is being performed, which lies behind the clock after the clock was advanced. */
export class LifeTime implements Clock {
  #now = new Date(0)

  set(now: Date): void {
    this.#now = now
  }

  now(): Date {
    return this.#now
  }

  sleep(): Promise<void> {
    return Promise.reject(new Error('A step of life does not wait'))
  }
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

/** Ids of what life causes: the same for the same steps. Those of events sort by the time of the step. */
export class LifeIds implements Ids {
  readonly #time: LifeTime
  #run = 0
  #step = 0
  #made = 0

  constructor(time: LifeTime) {
    this.#time = time
  }

  begin(run: number, step: number): void {
    this.#run = run
    this.#step = step
    this.#made = 0
  }

  next(kind: IdKind): string {
    const number = this.#made++
    if (kind !== 'event') return `life-${kind}-${this.#run}-${this.#step}-${number}`
    const time = hex(this.#time.now().getTime(), 12)
    const [high, low] = [hex(number >> 12, 3), hex(number & 0xfff, 3)]
    return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-8${low}-${hex(this.#run, 12)}`
  }
}
