import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { DocumentStore } from './port.ts'

/** A part of a document's text, and how many rows are in it. */
export interface TextChunk {
  text: string
  rows: number
}

// The passage that is being compressed and the one that is being read: reading and compressing go on side by side.
const CHUNKS_AHEAD = 1

/** Writes a document, compressed, as its text comes. With nothing to write there is no document. */
export async function writeCompressed(
  documents: DocumentStore,
  key: string,
  chunks: AsyncIterable<TextChunk>,
  signal: AbortSignal,
  onProgress: (rows: number) => void = () => {},
): Promise<{ rows: number; bytes: number }> {
  let rows = 0
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return { rows: 0, bytes: 0 }
  const source = Readable.from(texts(first.value), { highWaterMark: CHUNKS_AHEAD })
  const gzip = createGzip()
  // A store that fails stops reading, and the compressor would then wait for ever.
  const stored = documents.put(key, gzip, signal).finally(() => gzip.destroy())
  const read = pipeline(source, gzip, { signal })
  try {
    const [{ bytes }] = await Promise.all([stored, read])
    return { rows, bytes }
  } finally {
    // Both are waited for, whichever fails: nothing of this attempt goes on when the next one begins.
    await Promise.allSettled([stored, read])
  }

  async function* texts(passage: TextChunk): AsyncGenerator<string> {
    let next: IteratorResult<TextChunk> = { value: passage, done: false }
    while (!next.done) {
      rows += next.value.rows
      onProgress(rows)
      yield next.value.text
      next = await iterator.next()
    }
  }
}
