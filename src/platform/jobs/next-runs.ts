import type { Clock } from '../clock/port.ts'
import type { Database } from '../database/port.ts'
import type { PreparedQuery } from '../database/query.ts'
import type { Logger } from '../logging/logger.ts'
import { findUnknownKinds, nextRunOf, prepareNextRun } from './store.ts'

export interface NextRunOptions {
  database: Database
  clock: Clock
  logger: Logger
  /** All that the worker can handle. */
  kinds: readonly string[]
}

const UNKNOWN_KIND_CHECK_INTERVAL_MILLISECONDS = 10 * 60 * 1000

/** When the next job of a worker is due. */
export class NextRuns {
  readonly #options: NextRunOptions
  readonly #nextOfAll: PreparedQuery<object, { run_at: string }>
  readonly #unknownKinds = new Set<string>()
  #nextUnknownKindCheckAt = 0

  constructor(options: NextRunOptions) {
    this.#options = options
    this.#nextOfAll = prepareNextRun(options.kinds)
  }

  /** Milliseconds until the next job of these kinds is due. At most 0 if one is, also if it cannot be claimed. */
  async untilNext(kinds: readonly string[]): Promise<number> {
    const { database, clock } = this.#options
    if (kinds.length === 0) return Number.POSITIVE_INFINITY
    const next = await database.read((reader) =>
      kinds.length === this.#options.kinds.length ? reader.first(this.#nextOfAll, {}) : reader.first(nextRunOf(kinds)),
    )
    return next ? timeUntil(next.run_at, clock.now()) : Number.POSITIVE_INFINITY
  }

  /** Jobs of a newer version wait for a worker of that version. Each kind is logged once. */
  async logUnknownKinds(): Promise<void> {
    const { database, clock, logger, kinds } = this.#options
    const now = clock.now()
    if (now.getTime() < this.#nextUnknownKindCheckAt) return
    this.#nextUnknownKindCheckAt = now.getTime() + UNKNOWN_KIND_CHECK_INTERVAL_MILLISECONDS
    for (const kind of await database.read((reader) => findUnknownKinds(reader, kinds, now))) {
      if (this.#unknownKinds.has(kind)) continue
      this.#unknownKinds.add(kind)
      logger.warn({ kind }, 'unknown job kind; leaving its jobs for a newer worker')
    }
  }
}

/** A damaged time is due if it sorts before the time, as the claim has it: otherwise all other jobs would wait for it. */
function timeUntil(runAt: string, now: Date): number {
  const milliseconds = new Date(runAt).getTime() - now.getTime()
  if (!Number.isNaN(milliseconds)) return milliseconds
  return runAt <= now.toISOString() ? 0 : Number.POSITIVE_INFINITY
}
