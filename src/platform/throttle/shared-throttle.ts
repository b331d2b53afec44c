import { Counter } from '../metrics/counter.ts'
import type { Metric } from '../metrics/port.ts'
import { GRACE_MILLISECONDS, shareOf, stateOfBucket, timesOf } from './bucket.ts'
import type { MemoryThrottle } from './memory-throttle.ts'
import type { QuotaState, Rate, Throttle } from './port.ts'
import type { QuotaServer } from './quota-server.ts'

export interface SharedThrottleOptions {
  /** What this process knows of the shared buckets. It decides while the server is unavailable. */
  own: MemoryThrottle
  /** Omitted if each process counts on its own. */
  server?: QuotaServer | undefined
  /** The number of processes that share each quota. */
  processes: number
}

/**
 * Token buckets that several processes share. While the server is unavailable, each process grants its part of the rates,
 * and continues from the last known state: an outage does not fill the buckets.
 */
export class SharedThrottle implements Throttle {
  readonly #own: MemoryThrottle
  readonly #server: QuotaServer | undefined
  readonly #processes: number
  readonly #decisions = new Counter('souk_quota_decisions_total', 'Decisions about quotas, by who made them', {
    label: 'by',
    values: ['server', 'process'],
  })

  constructor({ own, server, processes }: SharedThrottleOptions) {
    this.#own = own
    this.#server = server
    this.#processes = processes
  }

  get metrics(): readonly Metric[] {
    const server = this.#server
    if (!server) return []
    const up: Metric = {
      name: 'souk_quota_server_up',
      help: 'Whether quotas are shared: 0 while the quota server is unavailable',
      type: 'gauge',
      across: 'min',
      read: () => [{ labels: {}, value: server.isAvailable ? 1 : 0 }],
    }
    return [up, this.#decisions, server.duration]
  }

  take(key: string, rate: Rate): boolean | Promise<boolean> {
    const server = this.#server
    if (!server?.isAvailable) return this.#takeOwn(key, rate)
    const fullInMilliseconds = this.#own.fullInMilliseconds(key)
    const { interval, capacity } = timesOf(rate)
    // Other processes only take, so a bucket that is empty as far as this process knows is empty. A client that calls too
    // often then costs no call to the server.
    if (fullInMilliseconds + interval > capacity + GRACE_MILLISECONDS) {
      this.#decisions.add('server')
      return false
    }
    // From before the call: its duration must not count as time that the bucket still has to wait.
    const since = this.#own.elapsedMilliseconds
    return server.take(key, { ...rate, fullInMilliseconds }).then(
      (taken) => {
        this.#decisions.add('server')
        this.#own.learn(key, taken.fullInMilliseconds, since)
        return taken.isTaken
      },
      () => this.#takeOwn(key, rate),
    )
  }

  stateOf(key: string, rate: Rate): QuotaState {
    if (!this.#server?.isAvailable) return this.#own.stateOf(key, shareOf(rate, this.#processes))
    return stateOfBucket(rate, this.#own.fullInMilliseconds(key))
  }

  reset(): void {
    this.#own.reset()
  }

  #takeOwn(key: string, rate: Rate): boolean {
    this.#decisions.add('process')
    return this.#own.take(key, shareOf(rate, this.#processes))
  }
}
