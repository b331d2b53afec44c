import { LATEST_TIME, requireValidTime, type VirtualClock } from '../../platform/clock/port.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import type { Due } from '../../platform/due.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import { loadSetting, storeSetting } from '../../platform/settings/store.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import { StoredClockError } from './stored-clock-error.ts'

export interface ClockChange {
  advanceSeconds?: number
  /** Not before the current time. */
  time?: string
  frozen?: boolean
  /** Whether valid access tokens stay valid for as long as they would have without the move. */
  keepTokens?: boolean
}

export interface StoredClockDependencies {
  clock: VirtualClock
  database: Database
  extendTokens(tx: Transaction, milliseconds: number): Promise<void>
  tokensExtended(): void
}

/** The clock of the stand-in, and its position in the database, so that a restart continues with it. */
export class StoredClock {
  readonly #dependencies: StoredClockDependencies
  #lastChange: Promise<void> = Promise.resolve()
  #stored: string | undefined

  constructor(dependencies: StoredClockDependencies) {
    this.#dependencies = dependencies
  }

  /** Sets the clock as it was when the data was last used. */
  async restore(): Promise<void> {
    const { clock, database } = this.#dependencies
    const [offset = '0', frozenAt = ''] = await database.read(async (reader) => [
      await loadSetting(reader, 'clockOffsetMilliseconds'),
      await loadSetting(reader, 'clockFrozenAt'),
    ])
    // Another program or an older version may have written any text here.
    if (!/^-?\d+$/.test(offset)) throw new StoredClockError(offset)
    this.#stored = positionOf(Number(offset), frozenAt)
    try {
      if (frozenAt === '') return clock.advance(Number(offset) - clock.offsetMilliseconds)
      clock.freeze()
      clock.set(new Date(frozenAt))
    } catch (cause) {
      throw new StoredClockError(frozenAt || offset, { cause })
    }
  }

  /** Moves, freezes or unfreezes the clock. One change at a time. */
  change(change: ClockChange): Promise<void> {
    return this.#inTurn(() => this.#move((now) => distanceOf(change, now), change))
  }

  /** Moves to the first thing that `find` returns, if any, and returns them all. */
  moveTo(find: () => Promise<Due[]>, options: Pick<ClockChange, 'keepTokens'>): Promise<Due[]> {
    return this.#inTurn(async () => {
      const due = await find()
      const [first] = due
      // A running clock may have passed it.
      if (first) await this.#move((now) => Math.max(0, first.time.getTime() - now), options)
      return due
    })
  }

  /**
   * Stores moves that are made on the clock itself, too, as tests do. The returned function waits until the last one is
   * stored, and ends it.
   */
  follow(): () => Promise<void> {
    let isMoved = false
    let isQueued = false
    const store = async () => {
      isQueued = false
      if (!isMoved) return
      isMoved = false
      await this.#storeMoved().catch((error: unknown) => {
        isMoved = true
        throw error
      })
    }
    const unsubscribe = this.#dependencies.clock.onMove(() => {
      isMoved = true
      if (isQueued) return
      isQueued = true
      // The next move tries again, or the end.
      this.#inTurn(store).catch(() => {})
    })
    return () => {
      unsubscribe()
      return this.#inTurn(store)
    }
  }

  async #storeMoved(): Promise<void> {
    const { clock, database } = this.#dependencies
    const frozenAt = clock.isFrozen ? clock.now() : undefined
    if (positionOf(clock.offsetMilliseconds, frozenAt?.toISOString() ?? '') === this.#stored) return
    await database.transact((tx) => this.#store(tx, clock.offsetMilliseconds, frozenAt))
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const changed = this.#lastChange.then(change)
    this.#lastChange = changed.then(
      () => {},
      () => {},
    )
    return changed
  }

  /** Sets the clock to any time, also before the current one: for content that was written then. */
  async set(time: Date, { frozen }: { frozen: boolean }): Promise<void> {
    const { clock, database } = this.#dependencies
    requireValidTime(time.getTime())
    if (frozen) clock.freeze()
    else clock.unfreeze()
    clock.set(time)
    await database.transact((tx) => this.#store(tx, clock.offsetMilliseconds, frozen ? time : undefined))
  }

  /** Stores a time beside content that was written then. Call the result after the commit: it sets the clock. */
  async setWith(tx: Transaction, time: Date, { frozen }: { frozen: boolean }): Promise<() => void> {
    const { clock } = this.#dependencies
    requireValidTime(time.getTime())
    const offset = clock.offsetMilliseconds + time.getTime() - clock.now().getTime()
    await this.#store(tx, offset, frozen ? time : undefined)
    return () => {
      if (frozen) {
        clock.freeze()
        clock.set(time)
      } else {
        clock.unfreeze()
        // By the offset, because a running clock went on since.
        clock.advance(offset - clock.offsetMilliseconds)
      }
    }
  }

  async #move(
    distanceFrom: (now: number) => number,
    change: Pick<ClockChange, 'frozen' | 'keepTokens'>,
  ): Promise<void> {
    const { clock, database, extendTokens, tokensExtended } = this.#dependencies
    const wasFrozen = clock.isFrozen
    const frozen = change.frozen ?? wasFrozen
    // First, because a clock that ran on meanwhile would pass the time that is stored.
    if (frozen && !wasFrozen) clock.freeze()
    try {
      const now = clock.now().getTime()
      const milliseconds = distanceFrom(now)
      const keepsTokens = change.keepTokens === true && milliseconds > 0
      // Stored first, because expired tokens would be valid again if the clock were behind after a restart.
      await database.transact(async (tx) => {
        const frozenAt = frozen ? new Date(now + milliseconds) : undefined
        await this.#store(tx, clock.offsetMilliseconds + milliseconds, frozenAt)
        if (keepsTokens) await extendTokens(tx, milliseconds)
      })
      if (keepsTokens) tokensExtended()
      if (milliseconds > 0) clock.advance(milliseconds)
    } catch (error) {
      if (!wasFrozen) clock.unfreeze()
      throw error
    }
    if (!frozen) clock.unfreeze()
  }

  async #store(tx: Transaction, offsetMilliseconds: number, frozenAt: Date | undefined): Promise<void> {
    const frozenText = frozenAt?.toISOString() ?? ''
    await storeSetting(tx, 'clockOffsetMilliseconds', String(Math.round(offsetMilliseconds)))
    await storeSetting(tx, 'clockFrozenAt', frozenText)
    tx.afterCommit(() => {
      this.#stored = positionOf(offsetMilliseconds, frozenText)
    })
  }
}

/** A clock that stands still has another offset at each moment. */
const positionOf = (offsetMilliseconds: number, frozenAt: string) => frozenAt || String(Math.round(offsetMilliseconds))

function distanceOf({ advanceSeconds, time }: ClockChange, now: number): number {
  const [field, target] =
    time === undefined
      ? ['advanceSeconds', now + Math.round((advanceSeconds ?? 0) * 1000)]
      : ['time', parseTimestamp(time).getTime()]
  if (target < now) {
    throw invalidParameter(
      field,
      `is before ${new Date(now).toISOString()}, the time of the clock: to go back, restore a snapshot or reset with a time`,
    )
  }
  if (target > LATEST_TIME.getTime()) {
    throw invalidParameter(field, `moves the clock beyond ${LATEST_TIME.toISOString()}`)
  }
  return target - now
}
