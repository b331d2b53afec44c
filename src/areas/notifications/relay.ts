import type { Clock } from '../../platform/clock/port.ts'
import { fanOut } from './fan-out.ts'
import type { Expanders } from './ports.ts'
import { type SendingDependencies, sendAll } from './sending.ts'
import { nextTurn, type Turn, takeTurns } from './turn-store.ts'

export interface RelayOptions extends SendingDependencies {
  expanders: Expanders
}

const POLL_MILLISECONDS = 500
const MOST_DESTINATIONS_AT_ONCE = 16

/**
 * Brings events to those who subscribe to them, until it is stopped: events become deliveries, and each destination
 * that has some is served by itself, so that one that hangs holds up no other. Several relays may run at once.
 */
export class Relay {
  readonly #options: RelayOptions
  readonly #inHand = new Map<string, Promise<void>>()
  readonly #ending = new AbortController()
  readonly #loop: Promise<void>
  #nap: AbortController | undefined
  #somethingNew = false
  #idleListeners: (() => void)[] = []

  constructor(options: RelayOptions) {
    this.#options = options
    this.#loop = this.#work()
  }

  /** Look for events now. */
  wake(): void {
    this.#somethingNew = true
    this.#nap?.abort()
  }

  /** Resolves when nothing is being sent and nothing is due. */
  idle(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve)
      this.wake()
    })
  }

  /** Waits for the answers to what is being sent. Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#ending.abort()
    this.wake()
    await this.#loop
    await Promise.all(this.#inHand.values())
    this.#tellIdle()
  }

  async #work(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      this.#somethingNew = false
      let napMilliseconds = POLL_MILLISECONDS
      try {
        napMilliseconds = await this.#doWhatIsDue()
      } catch (err) {
        this.#options.logger.warn({ err }, 'cannot look for events; it will be tried again')
      }
      await this.#rest(napMilliseconds)
    }
  }

  /** Answers how long there will be nothing to do as far as is known. */
  async #doWhatIsDue(): Promise<number> {
    const { database, clock, expanders } = this.#options
    for (;;) {
      if (this.#ending.signal.aborted) return POLL_MILLISECONDS
      const told = await fanOut(database, expanders)
      const wait = await this.#serveDestinations(clock)
      if (told > 0) continue
      if (this.#inHand.size === 0 && wait > 0) this.#tellIdle()
      return Math.min(POLL_MILLISECONDS, Math.max(wait, 1))
    }
  }

  /** Begins to serve those whose turn has come. Answers how long it is until the next turn. */
  async #serveDestinations(clock: Clock): Promise<number> {
    for (;;) {
      const free = MOST_DESTINATIONS_AT_ONCE - this.#inHand.size
      const next = await this.#options.database.read(nextTurn)
      const wait = next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
      if (wait > 0) return wait
      if (free <= 0 || (await this.#take(free)) === 0) return POLL_MILLISECONDS
    }
  }

  async #take(limit: number): Promise<number> {
    const { database, clock, ids, leaseSeconds } = this.#options
    const lease = ids.next('lease')
    const turns = await database.transact((tx) => {
      const now = clock.now()
      return takeTurns(tx, database.dialect, {
        now,
        lease,
        leaseEnds: new Date(now.getTime() + leaseSeconds * 1000),
        limit,
        // A clock that is moved by an hour ends our own leases before we could prolong them.
        except: [...this.#inHand.keys()],
      })
    })
    for (const turn of turns) {
      const done = this.#serve(turn, lease).finally(() => {
        this.#inHand.delete(turn.destinationId)
        this.wake()
      })
      this.#inHand.set(turn.destinationId, done)
    }
    return turns.length
  }

  /** Never rejects. */
  async #serve(turn: Turn, lease: string): Promise<void> {
    try {
      await sendAll(this.#options, turn, lease, this.#ending.signal)
    } catch (err) {
      const { logger } = this.#options
      logger.error({ err, destination: turn.destinationId }, 'cannot serve the destination; again when its lease ends')
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#somethingNew || this.#ending.signal.aborted) return
    this.#nap = new AbortController()
    await this.#options.clock.sleep(milliseconds, this.#nap.signal)
    this.#nap = undefined
  }

  #tellIdle(): void {
    // Those who came while something was being looked for wait for the next look.
    if (this.#somethingNew && !this.#ending.signal.aborted) return
    for (const resolve of this.#idleListeners.splice(0)) resolve()
  }
}
