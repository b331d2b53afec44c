import type { Progress } from './public.ts'

// Often enough for a bar that moves, and seldom enough to cost nothing.
const INTERVAL_MILLISECONDS = 250

/** Reads the progress of all work. Each stream has its own, because a source counts from the first time it was read. */
export type ReadProgress = (state: {
  /** Whether no background work is due. */
  isIdle: boolean
}) => Promise<Progress[]>

/** A reader, over HTTP or in this process. */
export interface ProgressSink {
  /** Whether it has not read what was sent to it. It then gets no more, and later the latest state. */
  readonly isFull: boolean
  /** Returns false if the event was discarded. */
  send(event: 'progress' | 'end', data: Progress): boolean
  send(event: 'idle', data: object): boolean
  /** No event follows. */
  end(): void
  /** Resolves when the reader has left. */
  closed: Promise<void>
}

export interface ProgressStreamOptions {
  read: ReadProgress
  /** The stream ends once this is resolved and no task is left. Absent for a stream that does not end by itself. */
  idle?: Promise<void> | undefined
}

/** Sends what has changed since the last time, and resolves when the stream has ended. */
export async function streamProgress(stream: ProgressSink, { read, idle }: ProgressStreamOptions): Promise<void> {
  let isOpen = true
  let isIdle = false
  let wake = () => {}
  void stream.closed.then(() => {
    isOpen = false
    wake()
  })
  void idle?.then(() => {
    isIdle = true
    wake()
  })
  const sent = new Map<string, Progress>()
  while (isOpen) {
    const wasIdle: boolean = isIdle
    const tasks = await read({ isIdle: wasIdle })
    if (!stream.isFull) sendChanges(stream, sent, tasks)
    if (wasIdle && tasks.length === 0 && sent.size === 0) {
      stream.send('idle', {})
      return stream.end()
    }
    if (wasIdle === isIdle && isOpen) await pause()
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, INTERVAL_MILLISECONDS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function sendChanges(stream: ProgressSink, sent: Map<string, Progress>, tasks: readonly Progress[]): void {
  const current = new Map(tasks.map((progress) => [progress.task, progress]))
  for (const [task, last] of sent) {
    if (!current.has(task) && stream.send('end', last)) sent.delete(task)
  }
  for (const [task, progress] of current) {
    if (isSame(sent.get(task), progress)) continue
    if (stream.send('progress', progress)) sent.set(task, progress)
  }
}

const isSame = (one: Progress | undefined, other: Progress) =>
  one?.done === other.done && one.total === other.total && one.message === other.message
