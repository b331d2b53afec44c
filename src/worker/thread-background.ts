import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from '../config/config.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import type { Logger, LoggerOptions } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Background } from './background.ts'

/** What the thread is given at its start. */
export interface ThreadData {
  databasePath: string
  documentsFolder: string
  messaging: MessagingSettings
  clockOffsetMilliseconds: number
  log: LoggerOptions
  options: WorkerOptions
}

export type ToThread = 'wake' | 'stop' | { idle: number } | { clockOffsetMilliseconds: number }
export interface FromThread {
  idle: number
}

export interface ThreadBackgroundOptions extends Omit<ThreadData, 'clockOffsetMilliseconds'> {
  clock: VirtualClock
  logger: Logger
}

// Of this file when run from source; of the chunk that it is built into otherwise.
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : '../worker/thread.js', import.meta.url)

// What a job makes lives shortly: room for more of it would only be filled with what nobody needs any more.
const resourceLimits = { maxYoungGenerationSizeMb: 8 }
// A pause, lest one that falls over at once takes all the machine's time.
const RESTART_AFTER_MILLISECONDS = 1000

/**
 * Does the jobs in a thread of its own, with its own connection to the database, so that a long one holds up no
 * request. The thread starts with the first job: a marketplace that makes no reports does not pay for it.
 */
export class ThreadBackground implements Background {
  readonly #options: ThreadBackgroundOptions
  #thread: Worker | undefined
  #lastRequestId = 0
  readonly #waiting = new Map<number, () => void>()
  readonly #stopListening: () => void
  #stopped = false

  constructor(options: ThreadBackgroundOptions) {
    this.#options = options
    const { clock } = options
    this.#stopListening = clock.onMove(() => this.#post({ clockOffsetMilliseconds: clock.offsetMilliseconds }))
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
    const thread = this.#thread
    if (!thread) return
    // Not by `once` of node:events, which would reject if the thread fell over in this moment.
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    this.#post('stop')
    await ended
  }

  #start(): Worker {
    const { databasePath, documentsFolder, messaging, log, options, clock, logger } = this.#options
    const workerData: ThreadData = {
      databasePath,
      documentsFolder,
      messaging,
      clockOffsetMilliseconds: clock.offsetMilliseconds,
      log,
      options,
    }
    const thread = new Worker(THREAD, { workerData, name: 'souk worker', resourceLimits })
    thread.on('message', ({ idle }: FromThread) => {
      this.#waiting.get(idle)?.()
      this.#waiting.delete(idle)
    })
    thread.on('error', (err) => {
      logger.error({ err }, 'the worker fell over and is started again')
      void clock.sleep(RESTART_AFTER_MILLISECONDS).then(() => !this.#stopped && this.wake())
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
