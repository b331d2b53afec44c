import type { Clock } from '../../platform/clock/port.ts'
import { QueueError } from './queue-error.ts'

const MAX_WAITING = 1000

/** One attempt to receive messages. */
export interface Attempt<Item> {
  items: Item[]
  /** When the next item may be there, if that is known. */
  nextAt?: number | undefined
}

/** Long polls. They wait for a change of their queue or for a time of the clock, and do not poll the database. */
export class Polls {
  readonly #clock: Clock
  readonly #waiting = new Map<string, Set<AbortController>>()
  readonly #ends = new Set<() => void>()
  #isPaused = false
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Has the polls of a queue try again. */
  notify(queueName: string): void {
    for (const wake of this.#waiting.get(queueName) ?? []) wake.abort()
  }

  /** Ends all polls now, without items. Until `resume`, those that come later do not wait. */
  pause(): void {
    this.#isPaused = true
    for (const end of this.#ends) end()
  }

  resume(): void {
    this.#isPaused = false
  }

  /** Ends all polls; those that come later do not wait. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }

  /** Tries until there are items, the time is over, or the client is gone. */
  async poll<Item>(
    queueName: string,
    { waitSeconds, gone }: { waitSeconds: number; gone: AbortSignal },
    attempt: () => Promise<Attempt<Item>>,
  ): Promise<Item[]> {
    if (gone.aborted) return []
    if (waitSeconds === 0 || this.#isPaused || this.#isClosed) return (await attempt()).items
    const deadline = this.#clock.now().getTime() + waitSeconds * 1000
    const ending = new AbortController()
    const end = () => ending.abort()
    if (this.#ends.size >= MAX_WAITING)
      throw new QueueError('RequestThrottled', `More than ${MAX_WAITING} consumers wait.`)
    this.#ends.add(end)
    gone.addEventListener('abort', end)
    // Consumers wait in real time. A clock that stands still would keep them for ever.
    const timer = setTimeout(end, waitSeconds * 1000)
    try {
      while (!ending.signal.aborted) {
        const wake = this.#register(queueName, ending.signal)
        try {
          const { items, nextAt = deadline } = await attempt()
          const now = this.#clock.now().getTime()
          if (items.length > 0 || now >= deadline) return items
          await this.#clock.sleep(Math.min(nextAt > now ? nextAt : deadline, deadline) - now, wake.signal)
        } finally {
          this.#unregister(queueName, wake)
        }
      }
      return []
    } finally {
      clearTimeout(timer)
      gone.removeEventListener('abort', end)
      this.#ends.delete(end)
    }
  }

  /** Registered before the attempt, so that a message that arrives meanwhile is noticed. */
  #register(queueName: string, ending: AbortSignal): AbortController {
    const wake = new AbortController()
    const waiting = this.#waiting.get(queueName) ?? new Set()
    this.#waiting.set(queueName, waiting.add(wake))
    ending.addEventListener('abort', () => wake.abort(), { once: true, signal: wake.signal })
    return wake
  }

  #unregister(queueName: string, wake: AbortController): void {
    wake.abort()
    const waiting = this.#waiting.get(queueName)
    waiting?.delete(wake)
    if (waiting?.size === 0) this.#waiting.delete(queueName)
  }
}
