import { on } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_SILENCE_MILLISECONDS, openSocket, readStatus } from './load.ts'

export interface Probe {
  url: string
  /** The bytes of the request, headers and all. */
  request: Buffer
  everyMilliseconds: number
  /** Returns true for the last response that is needed. */
  isLast(answer: string, count: number): boolean
}

/** Repeats a request at a steady pace over one connection. Returns the duration of each in ms. */
export async function sendProbe({ url, request, everyMilliseconds, isLast }: Probe): Promise<number[]> {
  const socket = await openSocket(url)
  socket.setTimeout(MAX_SILENCE_MILLISECONDS, () => socket.destroy(new Error('No answer came in time')))
  const chunks = on(socket, 'data', { close: ['close'] })
  try {
    const times: number[] = []
    for (let due = performance.now(); ; due += everyMilliseconds) {
      // A delayed probe catches up: after a long wait it sends all the requests that were due during it.
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      const sentAt = performance.now()
      socket.write(request)
      const answer = await readAnswer(chunks)
      times.push(performance.now() - sentAt)
      if (isLast(answer, times.length)) return times
    }
  } finally {
    socket.destroy()
  }
}

async function readAnswer(chunks: AsyncIterator<Buffer[]>): Promise<string> {
  let received = Buffer.alloc(0)
  for (;;) {
    const { value, done } = await chunks.next()
    if (done) throw new Error('The connection was closed')
    received = Buffer.concat([received, ...value])
    const status = readStatus(received)
    if (status === 200) return received.toString()
    if (status !== undefined) throw new Error(`Not 200 but:\n${received}`)
  }
}
