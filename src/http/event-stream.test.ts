import { PassThrough, type Readable } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { EventStream } from './event-stream.ts'

/** Returns what would be sent. */
function respond(stream: EventStream): Readable {
  const sent: Readable[] = []
  const reply = {
    raw: {},
    type: () => reply,
    header: () => reply,
    send: (readable: Readable) => sent.push(readable),
  }
  stream.respond(reply as never)
  return sent[0] as Readable
}

describe('a stream of events', () => {
  afterEach(() => void vi.useRealTimers())

  test('sends events in order, and those before its end arrive', async () => {
    const stream = new EventStream()
    stream.send('progress', { done: 1 })
    stream.send('end', { done: 2 }, '7')
    stream.end()
    expect((await respond(stream).toArray()).join('')).toBe(
      ': connected\n\nevent: progress\ndata: {"done":1}\n\nid: 7\nevent: end\ndata: {"done":2}\n\n',
    )
    await stream.closed
    expect(stream.send('progress', {})).toBe(false)
  })

  test('discards events while the client does not read, and continues when it does', async () => {
    const stream = new EventStream()
    const client = new PassThrough()
    const text = 'x'.repeat(1000)
    let sent = 0
    while (stream.send('progress', { text })) sent++
    expect(sent).toBeLessThan(100)
    expect(stream.isFull).toBe(true)
    respond(stream).pipe(client)
    for await (const _ of client) if (!stream.isFull) break
    expect(stream.send('progress', { text })).toBe(true)
  })

  test('that has ended is closed after a while if its client does not read the rest', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stream = new EventStream()
    while (stream.send('request', { text: 'x'.repeat(1000) }));
    stream.endWith('dropped', {})
    let isClosed = false
    void stream.closed.then(() => {
      isClosed = true
    })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(isClosed).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    await stream.closed
  })
})
