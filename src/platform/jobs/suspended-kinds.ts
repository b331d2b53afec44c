import type { Clock } from '../clock/port.ts'
import type { Logger } from '../logging/logger.ts'
import { Turns } from './fair-claims.ts'

export interface SuspensionOptions {
  clock: Clock
  logger: Logger
  /** How many jobs of suspended kinds may run at the same time. They may hang until a deadline, and others must not wait. */
  maxRunning: number
}

/** One job of the kind may be claimed. */
export interface Trial {
  kind: string
  /** Of this kind alone: with those of others, one seller could always have the turn of the other kind. */
  turns: Turns
}

interface Outage {
  inARow: number
  pausedAt: { time: number; realTime: number } | undefined
  turns: Turns
}

// Fewer could be the problem of a few jobs.
const MIN_OUTAGES_IN_A_ROW = 5
const PAUSE_MILLISECONDS = 1_000

/**
 * Kinds of jobs whose dependency is unavailable. While it is, only one job of the kind is tried per second, however many are
 * due: the others would fail too, and the dependency could not recover under their calls. The first progress of a job ends
 * the suspension.
 */
export class SuspendedKinds {
  readonly #options: SuspensionOptions
  /** The kind that was tried last is the last one. */
  readonly #outages = new Map<string, Outage>()

  constructor(options: SuspensionOptions) {
    this.#options = options
  }

  has(kind: string): boolean {
    return (this.#outages.get(kind)?.inARow ?? 0) >= MIN_OUTAGES_IN_A_ROW
  }

  /** A job of the kind ended because a dependency is unavailable. */
  failed(kind: string): void {
    const { inARow, pausedAt = this.#now(), turns } = this.#outages.get(kind) ?? { inARow: 0, turns: new Turns() }
    this.#outages.set(kind, { inARow: inARow + 1, pausedAt, turns })
    if (inARow + 1 !== MIN_OUTAGES_IN_A_ROW) return
    this.#options.logger.warn({ kind }, 'dependency unavailable; jobs of this kind are tried one at a time')
  }

  /** A job of the kind made progress. Returns whether this ends a suspension. */
  worked(kind: string): boolean {
    const wasSuspended = this.has(kind)
    this.#outages.delete(kind)
    if (wasSuspended) this.#options.logger.info({ kind }, 'dependency available again; running all jobs of this kind')
    return wasSuspended
  }

  /** A job of the kind ended in a way that says nothing about the dependency, so another one may be tried at once. */
  skipped(kind: string): void {
    const outage = this.#outages.get(kind)
    if (outage) outage.pausedAt = undefined
  }

  /** The next trial, which begins the pause of its kind. `running` has the kinds of the jobs that run. */
  takeTrial(running: readonly string[]): Trial | undefined {
    if (running.filter((kind) => this.has(kind)).length >= this.#options.maxRunning) return undefined
    const next = this.#suspended.find(([, outage]) => this.#pauseOf(outage) <= 0)
    if (!next) return undefined
    const [kind, outage] = next
    this.#outages.delete(kind)
    this.#outages.set(kind, { ...outage, pausedAt: this.#now() })
    return { kind, turns: outage.turns }
  }

  /** Milliseconds until the next pause ends. A kind whose pause has ended waits for a place, not for a time. */
  get pause(): number {
    return Math.min(...this.#suspended.map(([, outage]) => this.#pauseOf(outage)).filter((pause) => pause > 0))
  }

  get #suspended(): [string, Outage][] {
    return [...this.#outages].filter(([kind]) => this.has(kind))
  }

  /** By the clock or in real time, whichever ends first: the clock may stand still, be moved or be set back. */
  #pauseOf({ pausedAt }: Outage): number {
    if (!pausedAt) return 0
    const { time, realTime } = this.#now()
    return PAUSE_MILLISECONDS - Math.max(Math.abs(time - pausedAt.time), Math.floor(realTime - pausedAt.realTime))
  }

  #now() {
    return { time: this.#options.clock.now().getTime(), realTime: performance.now() }
  }
}
