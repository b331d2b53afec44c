import { Worker } from 'node:worker_threads'
import type { Config, WorkerOptions } from '../config/config.ts'
import type { FaultRules, Held } from '../dev/faults/index.ts'
import type { FaultRule } from '../dev/faults/public.ts'
import type { ClockPosition, SystemClock } from '../platform/clock/system-clock.ts'
import type { Logger, LoggerOptions } from '../platform/logging/logger.ts'
import type { Background } from './background.ts'
import type { StandInMessaging } from './stand-in-messenger.ts'

export interface ThreadData {
  databasePath: string
  documentsFolder: string
  messaging: StandInMessaging
  signing: Config['signing']
  clockPosition: ClockPosition
  log: LoggerOptions
  options: WorkerOptions
  faults: ThreadFaults
}

export interface ThreadFaults {
  rules: FaultRule[]
  held: Held[]
}

/** The thread replies when no job is running and none is due, or when it knows the rules. */
type Question = { idle: true } | { faultRules: FaultRule[] }
export type ToThread = 'wake' | 'stop' | { clockPosition: ClockPosition } | (Question & { question: number })
export type FromThread =
  | { repliedTo: number }
  | { sentTo: string }
  | { counted: FaultRule }
  | { held: Held }
  | { letGo: string }

export interface ThreadBackgroundOptions extends Omit<ThreadData, 'clockPosition' | 'faults'> {
  faults: FaultRules
  clock: SystemClock
  logger: Logger
  notifyQueue(queueName: string): void
}

// Relative to this file when run from source, else to the chunk that it is bundled into.
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : '../worker/thread.js', import.meta.url)

// The objects of a job are short-lived. A smaller young generation is collected while a batch of a feed is still in
// use, and a larger one would only fill with garbage.
const resourceLimits = { maxYoungGenerationSizeMb: 24 }
// Wait before restarting, so that a thread that crashes at start does not use a whole CPU.
const RESTART_AFTER_MILLISECONDS = 1000

/**
 * Runs jobs in a thread with its own database connection, so that a long job does not block requests. The thread starts
 * with the first job, so that a stand-in without jobs does not pay for it.
 */
export class ThreadBackground implements Background {
  readonly #options: ThreadBackgroundOptions
  #thread: Worker | undefined
  #lastQuestion = 0
  readonly #waiting = new Map<number, () => void>()
  readonly #stopListening: () => void
  #restart: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: ThreadBackgroundOptions) {
    this.#options = options
    const { clock, faults } = options
    const stopFollowingClock = clock.onMove(() => this.#post({ clockPosition: clock.position }))
    const stopFollowingFaults = faults.onChange(() => this.#ask({ faultRules: faults.list() }))
    this.#stopListening = () => {
      stopFollowingClock()
      stopFollowingFaults()
    }
  }

  wake(): void {
    if (this.#stopped) return
    try {
      this.#thread ??= this.#start()
    } catch (err) {
      // Not thrown: timers and listeners of commits call this, and it would end the process.
      if (this.#restart === undefined) this.#options.logger.error({ err }, 'cannot start the worker thread; retrying')
      this.#wakeLater()
      return
    }
    this.#post('wake')
  }

  idle(): Promise<void> {
    return this.#ask({ idle: true })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopListening()
    clearTimeout(this.#restart)
    const thread = this.#thread
    if (!thread) return
    // Not `once` of node:events, which rejects if the thread crashes now.
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    this.#post('stop')
    await ended
    clearTimeout(this.#restart)
  }

  #wakeLater(): void {
    this.#restart ??= setTimeout(() => {
      this.#restart = undefined
      this.wake()
    }, RESTART_AFTER_MILLISECONDS)
  }

  #start(): Worker {
    const { databasePath, documentsFolder, messaging, signing, log, options, clock, logger, notifyQueue, faults } =
      this.#options
    const workerData: ThreadData = {
      databasePath,
      documentsFolder,
      messaging,
      signing,
      clockPosition: clock.position,
      log,
      options,
      faults: { rules: faults.list(), held: faults.held },
    }
    const thread = new Worker(THREAD, { workerData, name: 'souk worker', resourceLimits })
    thread.on('message', (message: FromThread) => {
      // A read in this event-loop tick may not see the messages: its snapshot can be older than their commit.
      if ('sentTo' in message) return setImmediate(notifyQueue, message.sentTo)
      if ('counted' in message) return faults.loadCounts(message.counted)
      if ('held' in message) return faults.loadHeld(message.held)
      if ('letGo' in message) return faults.letGo(message.letGo)
      this.#waiting.get(message.repliedTo)?.()
      this.#waiting.delete(message.repliedTo)
    })
    thread.on('error', (err) => {
      logger.error({ err }, 'worker thread crashed; restarting')
      this.#wakeLater()
    })
    thread.on('exit', () => {
      this.#thread = undefined
      for (const resolve of this.#waiting.values()) resolve()
      this.#waiting.clear()
    })
    return thread
  }

  /** Resolves with the reply, or when there is no thread. */
  #ask(asked: Question): Promise<void> {
    if (!this.#thread) return Promise.resolve()
    const question = ++this.#lastQuestion
    return new Promise((resolve) => {
      this.#waiting.set(question, resolve)
      this.#post({ ...asked, question })
    })
  }

  #post(message: ToThread): void {
    this.#thread?.postMessage(message)
  }
}
