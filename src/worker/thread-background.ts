import { Worker } from 'node:worker_threads'
import type { Config, WorkerOptions } from '../config/config.ts'
import type { ClockPosition, SystemClock } from '../platform/clock/system-clock.ts'
import type { Logger, LoggerOptions } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Background } from './background.ts'

export interface ThreadData {
  databasePath: string
  documentsFolder: string
  messaging: MessagingSettings
  signing: Config['signing']
  clockPosition: ClockPosition
  log: LoggerOptions
  options: WorkerOptions
}

export type ToThread = 'wake' | 'stop' | { idle: number } | { clockPosition: ClockPosition }
export interface FromThread {
  idle: number
}

export interface ThreadBackgroundOptions extends Omit<ThreadData, 'clockPosition'> {
  clock: SystemClock
  logger: Logger
}

// Relative to this file when run from source, else to the chunk that it is bundled into.
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : '../worker/thread.js', import.meta.url)

// The objects of a job are short-lived: a larger young generation would only fill with garbage.
const resourceLimits = { maxYoungGenerationSizeMb: 8 }
// Wait before restarting, so that a thread that crashes at start does not use a whole CPU.
const RESTART_AFTER_MILLISECONDS = 1000

/**
 * Runs jobs in a thread with its own database connection, so that a long job does not block requests. The thread starts
 * with the first job, so that a stand-in without jobs does not pay for it.
 */
export class ThreadBackground implements Background {
  readonly #options: ThreadBackgroundOptions
  #thread: Worker | undefined
  #lastRequestId = 0
  readonly #waiting = new Map<number, () => void>()
  readonly #stopListening: () => void
  #restart: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: ThreadBackgroundOptions) {
    this.#options = options
    const { clock } = options
    this.#stopListening = clock.onMove(() => this.#post({ clockPosition: clock.position }))
  }

  wake(): void {
    if (this.#stopped) return
    this.#thread ??= this.#start()
    this.#post('wake')
  }

  idle(): Promise<void> {
    if (!this.#thread) return Promise.resolve()
    const question = ++this.#lastRequestId
    return new Promise((resolve) => {
      this.#waiting.set(question, resolve)
      this.#post({ idle: question })
    })
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

  #start(): Worker {
    const { databasePath, documentsFolder, messaging, signing, log, options, clock, logger } = this.#options
    const workerData: ThreadData = {
      databasePath,
      documentsFolder,
      messaging,
      signing,
      clockPosition: clock.position,
      log,
      options,
    }
    const thread = new Worker(THREAD, { workerData, name: 'souk worker', resourceLimits })
    thread.on('message', ({ idle }: FromThread) => {
      this.#waiting.get(idle)?.()
      this.#waiting.delete(idle)
    })
    thread.on('error', (err) => {
      logger.error({ err }, 'worker thread crashed; restarting')
      this.#restart = setTimeout(() => this.wake(), RESTART_AFTER_MILLISECONDS)
    })
    thread.on('exit', () => {
      this.#thread = undefined
      for (const resolve of this.#waiting.values()) resolve()
      this.#waiting.clear()
    })
    return thread
  }

  #post(message: ToThread): void {
    this.#thread?.postMessage(message)
  }
}
