import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'iovalkey'
import { jitteredBackoff } from '../backoff.ts'
import { DeadlineError, withDeadline } from '../deadline.ts'
import type { Logger } from '../logging/logger.ts'
import { Histogram } from '../metrics/histogram.ts'
import { GRACE_MILLISECONDS, timesOf } from './bucket.ts'
import type { Rate } from './port.ts'
import { TAKE_TOKEN } from './take-token.ts'

export interface QuotaServerOptions {
  url: string
  /** Requests wait for it. */
  timeoutMilliseconds: number
  logger: Logger
}

export interface TakeOptions extends Rate {
  /** After how long the caller believes the bucket to be full. Counts where the server has lost the bucket. */
  fullInMilliseconds: number
}

const CONNECT_WITHIN_MILLISECONDS = 1_000
/** A server that responds to the first call and is late for the next is not available again. */
const STEADY_AFTER_MILLISECONDS = 5_000
const RETRY_BACKOFF = { firstMilliseconds: 250, longestMilliseconds: 2_000 }
const KEY_PREFIX = 'souk:quota:'

interface QuotaClient extends Redis {
  takeToken(key: string, ...numbers: number[]): Promise<[number, string]>
}

/**
 * Token buckets on a Valkey or Redis server. A call that fails or is late closes the connection, and calls fail at once
 * until a new connection works: requests never queue up for a server that hangs.
 */
export class QuotaServer {
  readonly duration = new Histogram('souk_quota_call_duration_seconds', 'Time that calls to the quota server took')
  readonly #observe = this.duration.withLabels()
  readonly #options: QuotaServerOptions
  readonly #stopping = new AbortController()
  /** Resolves after the first attempt to connect, also if it failed. */
  readonly ready: Promise<void>
  #client: QuotaClient | undefined
  #isOutageLogged = false
  #wasConnected = false

  constructor(options: QuotaServerOptions) {
    this.#options = options
    this.ready = new Promise((resolve) => void this.#keepConnected(resolve))
  }

  get isAvailable(): boolean {
    return this.#client !== undefined
  }

  /** Rejects if the server does not respond in time. */
  async take(key: string, options: TakeOptions): Promise<{ isTaken: boolean; fullInMilliseconds: number }> {
    const client = this.#client
    if (!client) throw new Error('There is no connection to the quota server')
    const began = performance.now()
    try {
      return await takeFrom(client, key, options, this.#options.timeoutMilliseconds)
    } catch (error) {
      this.#lose(client, error)
      throw error
    } finally {
      this.#observe((performance.now() - began) / 1000)
    }
  }

  close(): void {
    this.#stopping.abort()
    this.#client?.disconnect()
    this.#client = undefined
  }

  async #keepConnected(onFirstAttempt: () => void): Promise<void> {
    const { signal } = this.#stopping
    for (let attempt = 1; !signal.aborted; attempt++) {
      const client = createClient(this.#options.url)
      try {
        await withDeadline(CONNECT_WITHIN_MILLISECONDS, () => this.#connect(client), { stop: signal })
        const lost = new Promise<Error>((resolve) => client.once('end', () => resolve(new Error('Connection closed'))))
        const steady = setTimeout(() => {
          attempt = 0
          this.#logRecovery()
        }, STEADY_AFTER_MILLISECONDS).unref()
        this.#client = client
        this.#logFirstConnection()
        onFirstAttempt()
        this.#lose(client, await lost)
        clearTimeout(steady)
      } catch (error) {
        client.disconnect()
        if (!signal.aborted) this.#logOutage(error)
        onFirstAttempt()
      }
      const pause = jitteredBackoff(Math.max(attempt, 1), RETRY_BACKOFF)
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #connect(client: QuotaClient): Promise<void> {
    await client.connect()
    // A replica, or a server that is out of memory, accepts connections but no writes. A slow one is no use to requests.
    const { timeoutMilliseconds } = this.#options
    await takeFrom(client, 'probe', { perSecond: 1000, burst: 1000, fullInMilliseconds: 0 }, timeoutMilliseconds)
  }

  #lose(client: QuotaClient, error: unknown): void {
    client.disconnect()
    if (this.#client !== client) return
    this.#client = undefined
    if (!this.#stopping.signal.aborted) this.#logOutage(error)
  }

  /** Once for each outage. */
  #logOutage(error: unknown): void {
    if (this.#isOutageLogged) return
    this.#isOutageLogged = true
    const reason = error instanceof Error ? error.message : String(error)
    this.#options.logger.warn({ reason }, 'quota server unavailable; this process counts quotas on its own')
  }

  #logRecovery(): void {
    if (!this.#isOutageLogged) return
    this.#isOutageLogged = false
    this.#options.logger.info('quota server available again')
  }

  #logFirstConnection(): void {
    if (this.#isOutageLogged || this.#wasConnected) return
    this.#wasConnected = true
    this.#options.logger.info('connected to the quota server')
  }
}

function createClient(url: string): QuotaClient {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_WITHIN_MILLISECONDS,
    // Reconnecting is ours: a connection counts only after a bucket was written through it.
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectionName: 'souk-serve',
    scripts: { takeToken: { lua: TAKE_TOKEN, numberOfKeys: 1 } },
  })
  // Each error also rejects a call or ends the connection.
  client.on('error', () => {})
  return client as QuotaClient
}

async function takeFrom(
  client: QuotaClient,
  key: string,
  { fullInMilliseconds, ...rate }: TakeOptions,
  timeoutMilliseconds: number,
) {
  const { interval, capacity } = timesOf(rate)
  const call = client.takeToken(KEY_PREFIX + key, interval, capacity, fullInMilliseconds, GRACE_MILLISECONDS)
  const [isTaken, fullIn] = await inTime(timeoutMilliseconds, call)
  return { isTaken: isTaken === 1, fullInMilliseconds: Number(fullIn) }
}

/** After a pause of this process, the timer fires before the response is read. One that has arrived by then is in time. */
function inTime<Result>(milliseconds: number, call: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(new DeadlineError(milliseconds))), milliseconds)
    call.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
