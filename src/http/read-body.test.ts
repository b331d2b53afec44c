import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { readBody } from './read-body.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const openBody = () => Object.assign(new PassThrough(), { headers: {} }) as unknown as IncomingMessage & PassThrough

/** Reads a body of several pieces, and returns weak references to a piece and to what the reader held on to. */
async function readAndForget(body: IncomingMessage & PassThrough) {
  const piece = Buffer.alloc(100_000, 'x')
  const reader = { whole: undefined as Buffer | undefined }
  const read = new Promise<void>((resolve) => {
    readBody(body, 1_000_000, (_error, whole) => {
      reader.whole = whole
      resolve()
    })
  })
  body.write(piece)
  body.end(Buffer.alloc(100_000, 'y'))
  await read
  expect(reader.whole?.length).toBe(200_000)
  return [new WeakRef(piece), new WeakRef(reader)]
}

describe('a body', () => {
  test('that was read is not kept in memory by its request', async () => {
    const body = openBody()
    const references = await readAndForget(body)
    // A weak reference is strong until the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(references.map((one) => one.deref())).toEqual([undefined, undefined])
    expect(body.listenerCount('error')).toBeGreaterThan(0)
  })
})
