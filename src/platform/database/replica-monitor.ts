import { setTimeout as sleep } from 'node:timers/promises'
import { DeadlineError, withDeadline } from '../deadline.ts'
import type { DatabaseLogger } from './commit-listeners.ts'
import { ReplicaLag } from './replica-lag.ts'

/** Where a server is in the write-ahead log. */
export interface LogState {
  position: bigint
  /** The server that wrote the log, with its timeline. A failover begins a new one. */
  identity: string
}

export interface MonitorOptions {
  readPrimary(): Promise<LogState>
  /** Throws if the server does not follow another one. The signal aborts when the result is no longer needed. */
  readReplica(signal: AbortSignal): Promise<LogState>
  /** The replica did not respond in time, so its connections may be dead. */
  onSilence(): void
  logger?: DatabaseLogger | undefined
}

const CHECK_EVERY_MILLISECONDS = 1_000
const CHECK_WITHIN_MILLISECONDS = 1_000
const PRIMARY_WITHIN_MILLISECONDS = 500

export class ReplicaUnusableError extends Error {
  override name = 'ReplicaUnusableError'
}

/** Checks once a second whether a replica can be used. Work on it ends with an error as soon as it cannot. */
export class ReplicaMonitor {
  readonly #options: MonitorOptions
  readonly #lag = new ReplicaLag()
  readonly #stopping = new AbortController()
  readonly #rejectWork = new Set<(error: Error) => void>()
  #isUp = false
  #isOutageLogged = false

  constructor(options: MonitorOptions) {
    this.#options = options
    void this.#watch()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  get lagSeconds(): number {
    return this.#lag.millisecondsAt(performance.now()) / 1000
  }

  /** Waits for work on the replica. A replica that hangs would keep it until its deadline, which is long. */
  whileUp<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#rejectWork.add(reject)
      work.then(resolve, reject).finally(() => this.#rejectWork.delete(reject))
    })
  }

  /** Until the next check, the replica is not used. */
  suspect(): void {
    this.#isUp = false
  }

  close(): void {
    this.#stopping.abort()
    this.#lose(new ReplicaUnusableError('The connections to it are being closed'))
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await withDeadline(CHECK_WITHIN_MILLISECONDS, (late) => this.#check(late), { stop: signal }).catch(
        (error: Error) => {
          if (signal.aborted) return
          this.#lose(error)
          if (error instanceof DeadlineError) this.#options.onSilence()
          this.#logOutage(error)
        },
      )
      await sleep(CHECK_EVERY_MILLISECONDS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #check(signal: AbortSignal): Promise<void> {
    const primary = await this.#readPrimary()
    if (!primary) return
    this.#lag.primaryIsAt(primary.position, performance.now())
    const replica = await this.#options.readReplica(signal)
    if (replica.identity !== primary.identity) throw new ReplicaUnusableError('It follows another server or timeline')
    this.#lag.replicaIsAt(replica.position)
    const { lagSeconds } = this
    if (lagSeconds * 1000 >= CHECK_EVERY_MILLISECONDS) {
      throw new ReplicaUnusableError(`It is ${lagSeconds.toFixed(1)} s behind`)
    }
    if (signal.aborted) return
    this.#isUp = true
    if (this.#isOutageLogged) this.#options.logger?.info('the read replica is used again')
    this.#isOutageLogged = false
  }

  /**
   * Undefined if the primary is too busy to say where it is. Nothing is known about the replica then, and to move its
   * reads to the primary would be wrong. Each read compares the positions itself.
   */
  #readPrimary(): Promise<LogState | undefined> {
    return withDeadline(PRIMARY_WITHIN_MILLISECONDS, () => this.#options.readPrimary()).catch(() => undefined)
  }

  #lose(error: Error): void {
    this.#isUp = false
    for (const reject of this.#rejectWork) reject(error)
  }

  /** Once for each outage. */
  #logOutage({ message: reason }: Error): void {
    if (this.#isOutageLogged) return
    this.#isOutageLogged = true
    this.#options.logger?.warn({ reason }, 'the read replica cannot be used; the primary serves all reads')
  }
}
