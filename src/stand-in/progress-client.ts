import type { ProgressReaders } from '../dev/progress/index.ts'
import type { ProgressUpdate, WatchProgress } from '../dev/progress/public.ts'
import { createStream } from './bounded-stream.ts'
import { withActErrors } from './request-client.ts'

/** `souk.progress`: what `/_souk/progress` streams. */
export const createProgressClient =
  (readers: ProgressReaders): WatchProgress =>
  (options = {}) =>
    createStream<ProgressUpdate>((reader) => withActErrors(() => readers.watch(options, reader)))
