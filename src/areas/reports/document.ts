import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DocumentStore } from '../../platform/documents/port.ts'
import type { Passage } from './types/index.ts'

// The passage that is being compressed and the one that is being read: reading and compressing go on side by side.
const PASSAGES_AHEAD = 1

/** Writes a report, compressed, as its rows are read. With nothing to write there is no document. */
export async function writeDocument(
  documents: DocumentStore,
  key: string,
  passages: AsyncIterable<Passage>,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<{ rows: number; bytes: number }> {
  let rows = 0
  const iterator = passages[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return { rows: 0, bytes: 0 }
  const source = Readable.from(texts(first.value), { highWaterMark: PASSAGES_AHEAD })
  const gzip = createGzip()
  // Both are waited for, whichever fails: nothing of this attempt goes on when the next one begins.
  const [stored, read] = await Promise.allSettled([documents.put(key, gzip), pipeline(source, gzip, { signal })])
  if (read.status === 'rejected') throw read.reason
  if (stored.status === 'rejected') throw stored.reason
  return { rows, bytes: stored.value.bytes }

  async function* texts(passage: Passage): AsyncGenerator<string> {
    let next: IteratorResult<Passage> = { value: passage, done: false }
    while (!next.done) {
      rows += next.value.rows
      onProgress(rows)
      yield next.value.text
      next = await iterator.next()
    }
  }
}
