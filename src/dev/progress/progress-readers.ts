import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { type ProgressSink, type ReadProgress, streamProgress } from './progress-stream.ts'
import type { ProgressOptions, ProgressUpdate } from './public.ts'

const MAX_READERS = 100

export interface ProgressControl {
  /** Opens the sources of progress for one stream. */
  open(): ReadProgress
  /** Resolves when no background work is due. */
  idle(): Promise<void>
}

export interface LocalReader {
  receive(update: ProgressUpdate): void
  /** Whether it has yet to read what it received. */
  isBehind(): boolean
  end(error?: unknown): void
}

/** The readers of progress: streams of HTTP, and loops in this process. */
export class ProgressReaders {
  readonly #control: ProgressControl
  readonly #stops = new Set<() => void>()

  constructor(control: ProgressControl) {
    this.#control = control
  }

  /** Resolves when the stream has ended. `stop` is called when the marketplace stops. */
  async open(stream: ProgressSink, { until }: ProgressOptions, stop: () => void): Promise<void> {
    this.#stops.add(stop)
    void stream.closed.then(() => this.#stops.delete(stop))
    const idle = until === 'idle' ? this.#control.idle() : undefined
    await streamProgress(stream, { read: this.#control.open(), idle })
  }

  /** For a loop in this process. Returns a function that ends it. */
  watch({ until }: ProgressOptions, { receive, isBehind, end }: LocalReader): () => void {
    if (until !== undefined && until !== 'idle') throw invalidParameter('until', 'must be "idle"')
    this.requireRoom()
    const { promise: closed, resolve: leave } = Promise.withResolvers<void>()
    const stop = (error?: unknown) => {
      leave()
      end(error)
    }
    const stream: ProgressSink = {
      get isFull() {
        return isBehind()
      },
      send(event: ProgressUpdate['event'] | 'idle', data: object) {
        if (event !== 'idle') receive({ event, ...(data as Omit<ProgressUpdate, 'event'>) })
        return true
      },
      end: () => stop(),
      closed,
    }
    this.open(stream, { ...(until && { until }) }, stop).catch(stop)
    return leave
  }

  requireRoom(): void {
    if (this.#stops.size < MAX_READERS) return
    throw new ApiError('InvalidInput', `There are ${MAX_READERS} streams of progress already.`, 'Close one first.')
  }

  stopAll(): void {
    for (const stop of [...this.#stops]) stop()
  }
}
