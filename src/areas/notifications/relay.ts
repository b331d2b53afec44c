import { exponentialBackoff } from '../../platform/backoff.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { UnavailableError } from '../../platform/errors/unavailable-error.ts'
import type { Expanders } from '../../platform/outbox/expander.ts'
import { UnconfirmedLeases, UnreturnedLeases } from '../../platform/unreturned-leases.ts'
import { type Rest, WorkLoop } from '../../platform/work-loop.ts'
import { claimDestinations, type DestinationClaim, nextDestinationDueAt } from './delivery/destination-lease-store.ts'
import { RecentPayloads } from './delivery/recent-payloads.ts'
import { postponeDestinations, returnDestinations } from './delivery/returned-destinations.ts'
import { type SendingDependencies, sendDue } from './delivery/sending.ts'
import type { DestinationKey } from './destinations/destination-store.ts'
import { createFanOut, type FanOutEvents } from './fan-out/fan-out.ts'

export interface RelayOptions extends Omit<SendingDependencies, 'recentPayloads'> {
  expanders: Expanders
}

const MAX_CONCURRENT_DESTINATIONS = 32
// A failing destination can use its whole deadline. The limit keeps most slots free for destinations that respond.
const MAX_CONCURRENT_FAILING = 8

// A claim locks the rows that it writes, and skips those that others have locked.
const READ_COMMITTED = { isolation: 'read committed' } as const

/**
 * Fans out events into deliveries and sends them. Destinations are served independently and in turns, so neither a slow
 * one nor one with a long backlog blocks the others. Safe to run in several processes.
 */
export class Relay extends WorkLoop {
  readonly #options: RelayOptions & SendingDependencies
  readonly #claims = new Set<DestinationClaim>()
  readonly #unconfirmed: UnconfirmedLeases
  readonly #interrupted: UnreturnedLeases<Interrupted>
  /** How often in a row the database has interrupted the work for a destination. */
  readonly #interruptions = new Map<string, number>()
  /** Whether working destinations took all slots of the last claim. */
  #failingIsNext = false
  readonly #fanOut: FanOutEvents

  constructor(options: RelayOptions) {
    super(options.clock)
    this.#options = { ...options, recentPayloads: new RecentPayloads() }
    this.#unconfirmed = new UnconfirmedLeases(options)
    this.#interrupted = new UnreturnedLeases(options)
    this.#fanOut = createFanOut(this.#options)
  }

  protected override onPollError(err: unknown): void {
    this.#options.logger.warn({ err }, 'cannot poll for events; retrying')
  }

  protected override onAbandoned(destinations: readonly string[]): void {
    this.#options.logger.warn(
      { destinations: destinations.map(toDestination) },
      'stopped before these destinations responded',
    )
  }

  protected override async poll(): Promise<Rest> {
    const { clock } = this.#options
    const serve = () => this.#serveDestinations(clock)
    for (;;) {
      if (this.signal.aborted) return { milliseconds: Number.POSITIVE_INFINITY }
      const untilEvents = await this.#fanOut(this.signal, serve)
      const untilDeliveries = await serve()
      if (untilEvents <= 0) continue
      if (this.running.length === 0 && untilDeliveries > 0) this.notifyIdle()
      return { milliseconds: Math.min(untilEvents, untilDeliveries) }
    }
  }

  /** Starts sending to destinations that are due. Returns the milliseconds until the next one is due. */
  async #serveDestinations(clock: Clock): Promise<number> {
    await this.#returnDestinations(clock)
    for (;;) {
      const free = MAX_CONCURRENT_DESTINATIONS - this.running.length
      const next = await this.#options.database.read(nextDestinationDueAt)
      const wait = next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
      if (wait > 0) return wait
      if (free <= 0 || (await this.#claim(free)) === 0) return Number.POSITIVE_INFINITY
    }
  }

  /** Claims working destinations before failing ones, even if those have waited longer, unless this leaves them none. */
  async #claim(limit: number): Promise<number> {
    const { database, clock, ids, leaseSeconds } = this.#options
    const lease = ids.next('lease')
    const claimSome = async (tx: Transaction) => {
      const now = clock.now()
      const leaseEnds = new Date(now.getTime() + leaseSeconds * 1000)
      // Moving the clock by an hour expires this relay's own leases before it can renew them.
      const claim = { now, lease, leaseEnds, except: this.running.map(toDestination) }
      const working = (most: number) => claimDestinations(tx, { ...claim, limit: most, isFailing: false })
      const failing = (most: number) =>
        claimDestinations(tx, { ...claim, limit: Math.min(most, this.#failingSlots), isFailing: true })
      const first = this.#failingIsNext ? await failing(1) : await working(limit)
      const rest = limit - first.length
      return [...first, ...(await (this.#failingIsNext ? working(rest) : failing(rest)))]
    }
    const claims = await this.#unconfirmed.claim(lease, () => database.transact(claimSome, READ_COMMITTED))
    this.#failingIsNext = claims.length === limit && claims.every(({ failures }) => failures === 0)
    for (const claim of claims) this.track(toId(claim), this.#serve(claim, lease))
    return claims.length
  }

  /** How many more failing destinations can be served. One that has accepted messages again is no longer failing. */
  get #failingSlots(): number {
    const failing = [...this.#claims].filter(({ failures }) => failures > 0)
    return MAX_CONCURRENT_FAILING - failing.length
  }

  /** Never rejects. */
  async #serve(claim: DestinationClaim, lease: string): Promise<void> {
    this.#claims.add(claim)
    const isContested = () => this.running.length >= MAX_CONCURRENT_DESTINATIONS
    try {
      await sendDue(this.#options, claim, { lease, signal: this.signal, isContested })
      this.#interruptions.delete(toId(claim))
    } catch (err) {
      const isOutage = err instanceof UnavailableError
      if (isOutage) this.#interrupt(claim, lease)
      const { applicationId: application, destinationId: destination } = claim
      this.#options.logger.error(
        { err, application, destination },
        `cannot send to the destination; retrying when ${isOutage ? 'the database is back' : 'its lease expires'}`,
      )
    } finally {
      this.#claims.delete(claim)
    }
  }

  /** The outage may concern this destination only, and then its messages are sent again each time. */
  #interrupt({ applicationId, destinationId }: DestinationClaim, lease: string): void {
    const id = toId({ applicationId, destinationId })
    const before = this.#interruptions.get(id) ?? 0
    this.#interruptions.set(id, before + 1)
    const pauseMilliseconds = before === 0 ? 0 : exponentialBackoff(before, lease)
    this.#interrupted.add(id, { applicationId, destinationId, lease, pauseMilliseconds })
  }

  async #returnDestinations(clock: Clock): Promise<void> {
    const { database } = this.#options
    await this.#unconfirmed.returnAll((leases) =>
      database.transact((tx) => returnDestinations(tx, leases, clock.now()), READ_COMMITTED),
    )
    await this.#interrupted.returnAll((some) => {
      const now = clock.now().getTime()
      const postponed = some.map(({ pauseMilliseconds, ...held }) => ({
        ...held,
        dueAt: new Date(now + pauseMilliseconds),
        isFailing: pauseMilliseconds > 0,
      }))
      return database.transact((tx) => postponeDestinations(tx, postponed), READ_COMMITTED)
    })
  }
}

/** A destination whose work the database has interrupted. */
interface Interrupted extends DestinationKey {
  lease: string
  pauseMilliseconds: number
}

/** Applications may use the same id of a destination. */
const toId = ({ applicationId, destinationId }: DestinationKey) => JSON.stringify([applicationId, destinationId])

function toDestination(id: string): DestinationKey {
  const [applicationId, destinationId] = JSON.parse(id)
  return { applicationId, destinationId }
}
