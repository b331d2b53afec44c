import type { Clock } from '../clock/port.ts'
import { DatabaseUnavailableError } from '../database/port.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'
import type { Logger } from '../logging/logger.ts'
import { Turns } from './fair-claims.ts'

export interface SuspensionOptions {
  clock: Clock
  logger: Logger
  /** How many jobs of all kinds may run at the same time. */
  concurrency: number
}

/** One job of the kind may be claimed. */
export interface Trial {
  kind: string
  /** Of this kind alone: with those of others, one seller could always have the turn of the other kind. */
  turns: Turns
}

interface Moment {
  time: number
  realTime: number
}

interface Outage {
  inARow: number
  pausedAt: Moment | undefined
  turns: Turns
}

interface Run {
  kind: string
  isTrial: boolean
  beganAt: Moment
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
  /** How many jobs of suspended kinds may run at the same time. They may hang until a deadline, and others must not wait. */
  readonly #maxRunning: number
  /** The kind that was tried last is the last one. */
  readonly #outages = new Map<string, Outage>()
  /** By the ids of the jobs. */
  readonly #runs = new Map<string, Run>()
  #othersFirst: { since: Moment; milliseconds: number } | undefined

  constructor(options: SuspensionOptions) {
    this.#options = options
    this.#maxRunning = Math.max(Math.floor(options.concurrency / 2), 1)
  }

  has(kind: string): boolean {
    return (this.#outages.get(kind)?.inARow ?? 0) >= MIN_OUTAGES_IN_A_ROW
  }

  began(id: string, kind: string): void {
    this.#runs.set(id, { kind, isTrial: this.has(kind), beganAt: this.#now() })
  }

  /** The job has left its place, whatever its result. */
  ended(id: string): void {
    const run = this.#runs.get(id)
    this.#runs.delete(id)
    if (!run?.isTrial || this.#options.concurrency > 1) return
    const since = this.#now()
    this.#othersFirst = { since, milliseconds: Math.max(since.realTime - run.beganAt.realTime, PAUSE_MILLISECONDS) }
  }

  /** A job of the kind ended with an error. */
  failed(kind: string, error: unknown): void {
    // Without the database, no job of any kind is claimed, and a slow transaction may be the problem of one job.
    const isOutage = error instanceof UnavailableError && !(error instanceof DatabaseUnavailableError)
    if (isOutage) this.#noteOutage(kind)
    else this.#noteOther(kind)
  }

  /** A job of the kind made progress. Returns whether this ends a suspension. */
  worked(kind: string): boolean {
    const wasSuspended = this.has(kind)
    this.#outages.delete(kind)
    if (wasSuspended) this.#options.logger.info({ kind }, 'dependency available again; running all jobs of this kind')
    return wasSuspended
  }

  /**
   * Whether due jobs of other kinds come before the next trial. With a single place: after a trial, for as long as it took.
   * Otherwise trials that hang would keep the place all the time.
   */
  get othersFirst(): boolean {
    return this.#othersFirst !== undefined && this.#left(this.#othersFirst.since, this.#othersFirst.milliseconds) > 0
  }

  /** The next trial, which begins the pause of its kind. */
  takeTrial(): Trial | undefined {
    if (this.#isFull) return undefined
    const next = this.#suspended.find(([, outage]) => this.#pauseOf(outage) <= 0)
    if (!next) return undefined
    const [kind, outage] = next
    this.#outages.delete(kind)
    this.#outages.set(kind, { ...outage, pausedAt: this.#now() })
    return { kind, turns: outage.turns }
  }

  /** Milliseconds until the next trial may be taken. Infinite if it waits for the end of another one. */
  get pause(): number {
    if (this.#isFull) return Number.POSITIVE_INFINITY
    // At least 1: a pause may have ended since the last trial was taken.
    return Math.min(...this.#suspended.map(([, outage]) => Math.max(this.#pauseOf(outage), 1)))
  }

  get #suspended(): [string, Outage][] {
    return [...this.#outages].filter(([kind]) => this.has(kind))
  }

  get #isFull(): boolean {
    return [...this.#runs.values()].filter(({ kind }) => this.has(kind)).length >= this.#maxRunning
  }

  #noteOutage(kind: string): void {
    const { inARow, turns } = this.#outages.get(kind) ?? { inARow: 0, turns: new Turns() }
    // The pause begins again: a trial that hangs takes longer than the pause that began with it.
    this.#outages.set(kind, { inARow: inARow + 1, pausedAt: this.#now(), turns })
    if (inARow + 1 !== MIN_OUTAGES_IN_A_ROW) return
    this.#options.logger.warn({ kind }, 'dependency unavailable; jobs of this kind are tried one at a time')
  }

  /** Postponed, damaged or failed, perhaps before it called the dependency. So another one may be tried at once. */
  #noteOther(kind: string): void {
    const outage = this.#outages.get(kind)
    if (outage) outage.pausedAt = undefined
  }

  #pauseOf({ pausedAt }: Outage): number {
    return pausedAt ? this.#left(pausedAt, PAUSE_MILLISECONDS) : 0
  }

  /** By the clock or in real time, whichever ends first: the clock may stand still, be moved or be set back. */
  #left(since: Moment, milliseconds: number): number {
    const { time, realTime } = this.#now()
    return milliseconds - Math.max(Math.abs(time - since.time), Math.floor(realTime - since.realTime))
  }

  #now(): Moment {
    return { time: this.#options.clock.now().getTime(), realTime: performance.now() }
  }
}
