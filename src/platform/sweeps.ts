import type { Clock } from './clock/port.ts'
import type { Dialect } from './database/dialect.ts'
import type { Database, Transaction, TransactionOptions } from './database/port.ts'
import { type RowLimits, StepSize, writeStep } from './database/step-size.ts'
import type { Logger } from './logging/logger.ts'

export interface SweepContext {
  database: Database
  clock: Clock
  logger: Logger
}

/** Deletes expired data in small steps. Several processes may run the same sweep at once. */
export interface Sweep {
  name: string
  /** Returns the number of deleted rows. */
  sweep(context: Pick<SweepContext, 'database' | 'clock'>, signal: AbortSignal): Promise<number>
}

const SWEEP_INTERVAL_MILLISECONDS = 10 * 60 * 1000
const ROWS_PER_STEP: Record<Dialect, RowLimits> = {
  sqlite: { min: 10, max: 1_000 },
  postgres: { min: 250, max: 1_000 },
}

/** Runs all sweeps periodically until stopped. */
export class Sweeper {
  readonly #context: SweepContext
  readonly #sweeps: readonly Sweep[]
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>
  #round: Promise<void> = Promise.resolve()
  #interrupting = new AbortController()
  #paused: PromiseWithResolvers<void> | undefined

  /** `startsLater` is for a copy of data that was swept a short time ago. */
  constructor(context: SweepContext, sweeps: readonly Sweep[], { startsLater = false } = {}) {
    this.#context = context
    this.#sweeps = sweeps
    this.#done = this.#run(startsLater)
  }

  /** Interrupts the sweeps, which begin again when the returned function is called. */
  async pause(): Promise<() => void> {
    const paused = Promise.withResolvers<void>()
    this.#paused = paused
    this.#interrupting.abort()
    await this.#round
    return () => {
      this.#interrupting = new AbortController()
      this.#paused = undefined
      paused.resolve()
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#interrupting.abort()
    this.#paused?.resolve()
    await this.#done
  }

  async #run(startsLater: boolean): Promise<void> {
    const { signal } = this.#stopping
    if (startsLater) await this.#context.clock.sleep(SWEEP_INTERVAL_MILLISECONDS, signal)
    await this.#paused?.promise
    while (!signal.aborted) {
      const interruption = this.#interrupting.signal
      const beganAt = this.#context.clock.now().getTime()
      if (!interruption.aborted) {
        this.#round = this.#sweepAll(interruption)
        await this.#round
      }
      if (!interruption.aborted) await this.#context.clock.sleep(this.#untilNext(beganAt), signal)
      await this.#paused?.promise
    }
  }

  /** Counted from the beginning of the round: the clock may have been moved while it ran, and then more has expired. */
  #untilNext(beganAt: number): number {
    const passed = this.#context.clock.now().getTime() - beganAt
    return Math.min(Math.max(SWEEP_INTERVAL_MILLISECONDS - passed, 0), SWEEP_INTERVAL_MILLISECONDS)
  }

  async #sweepAll(signal: AbortSignal): Promise<void> {
    const { logger } = this.#context
    for (const { name, sweep } of this.#sweeps) {
      if (signal.aborted) return
      try {
        const swept = await sweep(this.#context, signal)
        if (swept > 0) logger.info({ swept }, `removed ${name}`)
      } catch (err) {
        logger.warn({ err }, `cannot remove ${name}; retrying`)
      }
    }
  }
}

interface StepOptions extends Pick<TransactionOptions, 'isolation'> {
  database: Pick<Database, 'dialect' | 'transact'>
  signal?: AbortSignal
  /** Default: 1,000. */
  maxRows?: number
}

/**
 * Repeats a step until it changes fewer rows than its limit, each time in a transaction of its own. How many rows are
 * deleted decides how long others wait, so each step has as many as the last ones allow.
 */
export async function inSteps(
  { database, signal, maxRows, ...options }: StepOptions,
  step: (tx: Transaction, limit: number) => Promise<number>,
): Promise<number> {
  const { min, max } = ROWS_PER_STEP[database.dialect]
  const stepSize = new StepSize(database.dialect, { min, max: Math.min(max, maxRows ?? max) })
  let changed = 0
  while (true) {
    const rows = stepSize.maxRows
    const last = await writeStep({ database, stepSize }, { ...options, rows }, (tx) => step(tx, rows))
    changed += last
    if (last < rows || signal?.aborted) return changed
    await stepSize.pause()
  }
}
