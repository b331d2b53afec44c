import type { Clock } from '../../platform/clock/port.ts'
import type { Expanders } from '../../platform/outbox/expander.ts'
import { Lookout } from '../../platform/work-loop.ts'
import { nextTurn, type Turn, takeTurns } from './delivery/destination-lease-store.ts'
import { type SendingDependencies, sendAll } from './delivery/sending.ts'
import { fanOut } from './fan-out/fan-out.ts'

export interface RelayOptions extends SendingDependencies {
  expanders: Expanders
}

const MOST_DESTINATIONS_AT_ONCE = 32
// Each may take all of its deadline. However many there are, most places stay free for those that answer.
const MOST_FAILING_AT_ONCE = 8

/**
 * Brings events to those who subscribe to them, until it is stopped: events become deliveries, and each destination
 * that has some is served by itself, so that one that hangs holds up no other. Several relays may run at once.
 */
export class Relay {
  readonly #options: RelayOptions
  readonly #lookout: Lookout
  readonly #failing = new Set<string>()

  constructor(options: RelayOptions) {
    this.#options = options
    this.#lookout = new Lookout({
      clock: options.clock,
      look: () => this.#doWhatIsDue(),
      onFailure: (err) => options.logger.warn({ err }, 'cannot look for events; it will be tried again'),
      onAbandoned: (ids) => options.logger.warn({ destinations: ids }, 'stopped before these destinations answered'),
    })
  }

  /** Look for events now. */
  wake(): void {
    this.#lookout.wake()
  }

  /** Resolves when nothing is being sent and nothing is due. */
  idle(): Promise<void> {
    return this.#lookout.idle()
  }

  /** Waits for the answers to what is being sent. Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#lookout.stop()
  }

  /** Answers how long there will be nothing to do as far as is known. */
  async #doWhatIsDue(): Promise<number> {
    const { clock } = this.#options
    const serve = () => this.#serveDestinations(clock)
    for (;;) {
      if (this.#lookout.signal.aborted) return Number.POSITIVE_INFINITY
      const untilEvents = await fanOut(this.#options, this.#lookout.signal, serve)
      const untilDeliveries = await serve()
      if (untilEvents <= 0) continue
      if (this.#lookout.inHand.length === 0 && untilDeliveries > 0) this.#lookout.tellIdle()
      return Math.min(untilEvents, untilDeliveries)
    }
  }

  /** Begins to serve those whose turn has come. Answers how long it is until the next turn. */
  async #serveDestinations(clock: Clock): Promise<number> {
    for (;;) {
      const free = MOST_DESTINATIONS_AT_ONCE - this.#lookout.inHand.length
      const next = await this.#options.database.read(nextTurn)
      const wait = next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
      if (wait > 0) return wait
      if (free <= 0 || (await this.#take(free)) === 0) return Number.POSITIVE_INFINITY
    }
  }

  /** Those that work come first, also before others that have waited for longer. */
  async #take(limit: number): Promise<number> {
    const { database, clock, ids, leaseSeconds } = this.#options
    const lease = ids.next('lease')
    const turns = await database.transact(async (tx) => {
      const now = clock.now()
      const leaseEnds = new Date(now.getTime() + leaseSeconds * 1000)
      // A clock that is moved by an hour ends our own leases before we could prolong them.
      const claim = { now, lease, leaseEnds, except: this.#lookout.inHand }
      const working = await takeTurns(tx, database.dialect, { ...claim, limit, areFailing: false })
      const left = Math.min(limit - working.length, MOST_FAILING_AT_ONCE - this.#failing.size)
      return [...working, ...(await takeTurns(tx, database.dialect, { ...claim, limit: left, areFailing: true }))]
    })
    for (const turn of turns) this.#lookout.take(turn.destinationId, this.#serve(turn, lease))
    return turns.length
  }

  /** Never rejects. */
  async #serve(turn: Turn, lease: string): Promise<void> {
    const { destinationId } = turn
    if (turn.failures > 0) this.#failing.add(destinationId)
    try {
      await sendAll(this.#options, turn, lease, this.#lookout.signal)
    } catch (err) {
      const { logger } = this.#options
      logger.error({ err, destination: destinationId }, 'cannot serve the destination; again when its lease ends')
    } finally {
      this.#failing.delete(destinationId)
    }
  }
}
