import { Readable } from 'node:stream'

/** The same content, with its errors converted. Closes the body, also if nothing was read. */
export function convertReadErrors(
  body: Readable,
  convert: (error: unknown) => unknown,
  chunks: AsyncIterable<Uint8Array> = body,
): Readable {
  async function* read() {
    try {
      yield* chunks
    } catch (error) {
      throw convert(error)
    }
  }
  const content = Readable.from(read(), { objectMode: false })
  content.once('close', () => body.destroy())
  return content
}
