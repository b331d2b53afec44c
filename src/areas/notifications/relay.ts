import type { Clock } from '../../platform/clock/port.ts'
import type { Expanders } from '../../platform/outbox/expander.ts'
import { WorkLoop } from '../../platform/work-loop.ts'
import { claimDestinations, type DestinationClaim, nextDestinationDueAt } from './delivery/destination-lease-store.ts'
import { type SendingDependencies, sendAll } from './delivery/sending.ts'
import { fanOut } from './fan-out/fan-out.ts'

export interface RelayOptions extends SendingDependencies {
  expanders: Expanders
}

const MAX_CONCURRENT_DESTINATIONS = 32
// Each may take all of its deadline. However many there are, most places stay free for those that answer.
const MAX_CONCURRENT_FAILING = 8

/**
 * Brings events to those who subscribe to them, until it is stopped: events become deliveries, and each destination
 * that has some is served by itself, so that one that hangs holds up no other. Several relays may run at once.
 */
export class Relay {
  readonly #options: RelayOptions
  readonly #workLoop: WorkLoop
  readonly #failing = new Set<string>()

  constructor(options: RelayOptions) {
    this.#options = options
    this.#workLoop = new WorkLoop({
      clock: options.clock,
      poll: () => this.#poll(),
      onPollError: (err) => options.logger.warn({ err }, 'cannot look for events; it will be tried again'),
      onAbandoned: (ids) => options.logger.warn({ destinations: ids }, 'stopped before these destinations answered'),
    })
  }

  /** Look for events now. */
  wake(): void {
    this.#workLoop.wake()
  }

  /** Resolves when nothing is being sent and nothing is due. */
  idle(): Promise<void> {
    return this.#workLoop.idle()
  }

  /** Waits for the answers to what is being sent. Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#workLoop.stop()
  }

  /** Answers how long there will be nothing to do as far as is known. */
  async #poll(): Promise<number> {
    const { clock } = this.#options
    const serve = () => this.#serveDestinations(clock)
    for (;;) {
      if (this.#workLoop.signal.aborted) return Number.POSITIVE_INFINITY
      const untilEvents = await fanOut(this.#options, this.#workLoop.signal, serve)
      const untilDeliveries = await serve()
      if (untilEvents <= 0) continue
      if (this.#workLoop.running.length === 0 && untilDeliveries > 0) this.#workLoop.notifyIdle()
      return Math.min(untilEvents, untilDeliveries)
    }
  }

  /** Begins to serve those whose turn has come. Answers how long it is until the next turn. */
  async #serveDestinations(clock: Clock): Promise<number> {
    for (;;) {
      const free = MAX_CONCURRENT_DESTINATIONS - this.#workLoop.running.length
      const next = await this.#options.database.read(nextDestinationDueAt)
      const wait = next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
      if (wait > 0) return wait
      if (free <= 0 || (await this.#claim(free)) === 0) return Number.POSITIVE_INFINITY
    }
  }

  /** Those that work come first, also before others that have waited for longer. */
  async #claim(limit: number): Promise<number> {
    const { database, clock, ids, leaseSeconds } = this.#options
    const lease = ids.next('lease')
    const claims = await database.transact(async (tx) => {
      const now = clock.now()
      const leaseEnds = new Date(now.getTime() + leaseSeconds * 1000)
      // A clock that is moved by an hour ends our own leases before we could prolong them.
      const claim = { now, lease, leaseEnds, except: this.#workLoop.running }
      const working = await claimDestinations(tx, database.dialect, { ...claim, limit, isFailing: false })
      const left = Math.min(limit - working.length, MAX_CONCURRENT_FAILING - this.#failing.size)
      return [
        ...working,
        ...(await claimDestinations(tx, database.dialect, { ...claim, limit: left, isFailing: true })),
      ]
    })
    for (const turn of claims) this.#workLoop.track(turn.destinationId, this.#serve(turn, lease))
    return claims.length
  }

  /** Never rejects. */
  async #serve(turn: DestinationClaim, lease: string): Promise<void> {
    const { destinationId } = turn
    if (turn.failures > 0) this.#failing.add(destinationId)
    try {
      await sendAll(this.#options, turn, lease, this.#workLoop.signal)
    } catch (err) {
      const { logger } = this.#options
      logger.error({ err, destination: destinationId }, 'cannot serve the destination; again when its lease ends')
    } finally {
      this.#failing.delete(destinationId)
    }
  }
}
