import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MetricValues } from '../../http/register-metrics.ts'
import { withDeadline } from '../../platform/deadline.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { UserError } from '../user-error.ts'
import { MemberMetrics } from './member-metrics.ts'
import { type FromMember, GATHER_WITHIN_MILLISECONDS, type ToMember } from './messages.ts'

/** A process that ran for so long did not fail because of its settings or the database. */
const STEADY_AFTER_MILLISECONDS = 10_000
const MAX_PAUSE_MILLISECONDS = 10_000
const FIRST_PAUSE_MILLISECONDS = 500

/**
 * Processes that serve one port. The first process accepts the connections and deals them out in turn; it replaces a
 * process that ended, and passes messages between them.
 */
export class ProcessGroup {
  readonly #logger: Logger
  readonly #metrics = new MemberMetrics()
  readonly #waiting = new Map<number, (values: MetricValues) => void>()
  readonly #stopping = new AbortController()
  #lastId = 0
  /** How many processes in a row ended soon after their start. */
  #soonEnded = 0

  private constructor(logger: Logger) {
    this.#logger = logger
    cluster.schedulingPolicy = cluster.SCHED_RR
    // Unlike JSON, it keeps numbers that are not finite.
    cluster.setupPrimary({ serialization: 'advanced' })
    cluster.on('message', (worker, message: FromMember) => this.#receive(worker, message))
    // After a forced stop too, nothing is left behind.
    process.on('exit', () => {
      for (const worker of members()) worker.process.kill('SIGKILL')
    })
  }

  /**
   * Resolves when the first of the processes listens. It starts before the others, so that what is wrong for all is said
   * once.
   */
  static async start(count: number, logger: Logger): Promise<ProcessGroup> {
    const group = new ProcessGroup(logger)
    let listening = 0
    cluster.on('listening', () => {
      if (++listening === count) logger.info({ processes: count }, 'all processes listening')
    })
    const first = cluster.fork()
    const hasStarted = await Promise.race([
      once(first, 'listening').then(() => true),
      once(first, 'exit').then(() => false),
    ])
    if (!hasStarted) throw new UserError('No process was started, for the reason above.')
    group.#watch(first)
    for (let other = 1; other < count; other++) group.#fork()
    return group
  }

  /** Has all processes drain and stop, and waits for their end. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const running = members().filter((worker) => !worker.isDead())
    for (const worker of running) send(worker, { kind: 'stop' })
    await Promise.all(running.map((worker) => once(worker, 'exit')))
  }

  #fork(): void {
    try {
      this.#watch(cluster.fork())
    } catch (err) {
      this.#logger.error({ err }, 'cannot start a process; retrying')
      void this.#replace(false)
    }
  }

  #watch(worker: Worker): void {
    const startedAt = performance.now()
    const { pid } = worker.process
    this.#logger.info({ pid }, 'process started')
    worker.on('error', (err) => {
      this.#logger.error({ err, pid }, 'cannot start or reach a process')
      // It was never started, so it does not end either.
      if (pid === undefined) void this.#replace(false)
    })
    worker.once('exit', (code, signal) => {
      this.#metrics.keepTotals(worker.id)
      if (this.#stopping.signal.aborted) return
      this.#logger.error({ pid, code, signal }, 'process ended')
      void this.#replace(performance.now() - startedAt >= STEADY_AFTER_MILLISECONDS)
    })
  }

  async #replace(wasSteady: boolean): Promise<void> {
    this.#soonEnded = wasSteady ? 0 : this.#soonEnded + 1
    const pause = wasSteady ? 0 : FIRST_PAUSE_MILLISECONDS * 2 ** (this.#soonEnded - 1)
    const { signal } = this.#stopping
    await sleep(Math.min(pause, MAX_PAUSE_MILLISECONDS), undefined, { signal }).catch(() => {})
    if (!signal.aborted) this.#fork()
  }

  #receive(worker: Worker, message: FromMember): void {
    if (message.kind === 'metrics') this.#waiting.get(message.id)?.(message.values)
    else if (message.kind === 'readMetricsOfAll') void this.#sendMetricsOfAll(worker, message.id)
    // It could not receive messages before.
    else if (this.#stopping.signal.aborted) send(worker, { kind: 'stop' })
  }

  async #sendMetricsOfAll(to: Worker, id: number): Promise<void> {
    await Promise.all(
      members().map(async (worker) => {
        const values = await this.#readMetrics(worker)
        // The totals of a process that ended meanwhile are kept already.
        if (values && !worker.isDead()) this.#metrics.update(worker.id, values)
      }),
    )
    send(to, { kind: 'metricsOfAll', id, values: await this.#metrics.all() })
  }

  /** Undefined for a process that is starting, busy or gone. */
  async #readMetrics(worker: Worker): Promise<MetricValues | undefined> {
    const id = ++this.#lastId
    const received = new Promise<MetricValues | undefined>((resolve) => {
      this.#waiting.set(id, resolve)
      send(worker, { kind: 'readMetrics', id }, () => resolve(undefined))
    })
    try {
      return await withDeadline(GATHER_WITHIN_MILLISECONDS, () => received)
    } catch {
      return undefined
    } finally {
      this.#waiting.delete(id)
    }
  }
}

const members = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function send(worker: Worker, message: ToMember, onError: () => void = () => {}): void {
  if (worker.isConnected()) worker.send(message, (error) => error && onError())
  else onError()
}
