import type { IncomingMessage } from 'node:http'
import { ApiError } from '../platform/errors/api-error.ts'

type Done = (error: Error | null, bytes?: Buffer) => void

/** Reads a whole body. Fails immediately if it is too large, and discards the rest as it arrives. */
export function readBody(body: IncomingMessage, maxBytes: number, done: Done): void {
  const { 'content-length': contentLength } = body.headers
  if (Number(contentLength) > maxBytes) {
    body.resume()
    done(tooLarge(maxBytes, contentLength))
    return
  }
  // Forgotten at the end: the listeners stay with the request for as long as its connection, or what tracks it, does.
  let reading: { chunks: Buffer[]; done: Done } | undefined = { chunks: [], done }
  let bytes = 0
  const end = (error: Error | null) => {
    if (!reading) return
    const { chunks, done } = reading
    reading = undefined
    // Most come in one piece, which need not be copied to be one.
    done(error, error ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  }
  // Of a request without a body Node.js makes no stream that would end: see where the server is built.
  if (body.readableEnded) end(null)
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) end(tooLarge(maxBytes, contentLength))
    else reading?.chunks.push(chunk)
  })
  body.on('end', () => end(null))
  body.on('error', end)
}

// Apart from the reader: the log keeps the explanation, which must not keep the request and its connection.
const tooLarge = (maxBytes: number, contentLength: string | undefined) =>
  new ApiError('RequestTooLarge', 'The request body is too large.', `The limit is ${maxBytes} bytes.`, {
    explain: () => ({
      rule: `The body of this operation has at most ${maxBytes} bytes.`,
      facts: { maxBytes, contentLength: contentLength ?? null },
      noNearest: `Send at most ${maxBytes} bytes in a request.`,
    }),
  })
