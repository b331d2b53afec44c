import type { DatabaseLogger } from './commit-listeners.ts'
import { isResponse, NoResponseError } from './postgres-errors.ts'

export interface SilenceOptions {
  /** How long the server may respond to nothing while something waits for it. */
  milliseconds: number
  /**
   * Sends the server a statement that is always fast, apart from all other work. While the server is silent, it may take as
   * long as any statement: a pooler whose connections are busy would put a repeated one at the end of its queue.
   */
  probe(isSilent: boolean): Promise<unknown>
  /** Ends what waits for the server. */
  onSilence(error: NoResponseError): void
  logger?: DatabaseLogger | undefined
}

const TICK_MILLISECONDS = 250
const PROBE_AFTER_TICKS = 2

/**
 * Notices a server that hangs, long before the deadlines of single statements, which have to allow for slow ones. A server
 * that is only slow responds to the probe. One that has never responded is not silent: its first connection has a deadline.
 *
 * Time is counted in ticks: after this process was blocked itself, one tick has passed, and responses that arrived meanwhile
 * are read before the next.
 */
export class SilenceMonitor {
  readonly #options: SilenceOptions
  readonly #maxQuietTicks: number
  readonly #rejectWork = new Set<(error: Error) => void>()
  #waiting = 0
  #quietTicks = 0
  #isProbing = false
  #hasHeard = false
  #error: NoResponseError | undefined
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: SilenceOptions) {
    this.#options = options
    this.#maxQuietTicks = Math.ceil(options.milliseconds / TICK_MILLISECONDS)
  }

  /** Present while the server is silent. */
  get error(): NoResponseError | undefined {
    return this.#error
  }

  /** Something waits for the server, until `ended` is called. */
  began(): void {
    if (this.#waiting++ === 0) this.#quietTicks = 0
    if (this.#isClosed) return
    this.#timer ??= setInterval(() => this.#tick(), TICK_MILLISECONDS).unref()
  }

  ended(): void {
    this.#waiting--
  }

  /** The server has responded to something. */
  heard(): void {
    this.#hasHeard = true
    this.#quietTicks = 0
    if (!this.#error) return
    this.#error = undefined
    this.#options.logger?.info('PostgreSQL responds again')
  }

  /** Waits for the work, unless the server is silent or becomes it. */
  whileHeard<Result>(work: () => Promise<Result>, onLate?: (result: Result) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      this.began()
      this.#rejectWork.add(reject)
      const isWaiting = () => this.#rejectWork.delete(reject)
      work()
        .then((result) => (isWaiting() ? resolve(result) : onLate?.(result)), reject)
        .finally(() => {
          isWaiting()
          this.ended()
        })
    })
  }

  /** From now on, nothing is silent. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#error = undefined
  }

  #tick(): void {
    if (this.#waiting === 0 && !this.#error) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    if (!this.#hasHeard) return
    this.#quietTicks++
    if (this.#quietTicks >= PROBE_AFTER_TICKS) void this.#probe()
    if (this.#quietTicks > this.#maxQuietTicks && !this.#error) this.#beginSilence()
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    try {
      await this.#options.probe(this.#error !== undefined)
      this.heard()
    } catch (error) {
      // Each request gets the error of a server that refuses, at once.
      if (isResponse(error)) this.heard()
    } finally {
      this.#isProbing = false
    }
  }

  #beginSilence(): void {
    const { milliseconds, logger, onSilence } = this.#options
    const error = new NoResponseError(`PostgreSQL responded to nothing for ${milliseconds} ms`)
    this.#error = error
    logger?.warn({ milliseconds }, 'PostgreSQL does not respond; requests are refused until it does')
    for (const reject of this.#rejectWork) reject(error)
    this.#rejectWork.clear()
    onSilence(error)
  }
}
