import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setInterval as every } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Timeouts } from '../../src/http/timeouts.ts'
import { startFileDocuments } from '../support/documents.ts'
import { openSocket, readToEnd } from '../support/exchange.ts'
import { startTestSouk, type TestSouk } from '../support/souk.ts'
import { waitFor } from '../support/wait-for.ts'

const CONTENT_TYPE = 'text/xml'
const KEY = 'folder/document'
const MEGABYTE = 1024 * 1024

async function startDocuments(timeouts: Partial<Timeouts>) {
  const documents = await startFileDocuments(timeouts)
  onTestFinished(() => documents.stop())
  return documents
}

/** A connection on which the headers of a request were sent. */
function begin(method: string, address: string, headers = ''): Socket {
  const { pathname, search } = new URL(address)
  const socket = openSocket(address)
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends a piece at a time, as a client on a slow line does, until all are sent or the server hangs up. */
async function sendSlowly(socket: Socket, piece: string, pieces: number, pauseMilliseconds: number): Promise<void> {
  let left = pieces
  for await (const _ of every(pauseMilliseconds)) {
    if (left-- === 0 || !socket.writable) return
    socket.write(piece)
  }
}

describe('an upload', () => {
  async function beginUpload(contentLength: number, timeouts: Partial<Timeouts>) {
    const { store, url } = await startDocuments(timeouts)
    const address = await store.presignPut(KEY, { contentType: CONTENT_TYPE })
    const socket = begin('PUT', address, `content-type: ${CONTENT_TYPE}\r\ncontent-length: ${contentLength}\r\n`)
    return { store, socket, url }
  }

  test('that is slow but steady is accepted, however long it takes', async () => {
    // A machine that stops for seconds is no slow client.
    const patience = { idleMilliseconds: 20_000, minBytesPerSecond: 50 }
    const { store, socket } = await beginUpload(40_000, { ...patience, rateWindowMilliseconds: 1000 })
    const answer = once(socket, 'data')
    await sendSlowly(socket, 'x'.repeat(2000), 20, 200)
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(await store.head(KEY)).toMatchObject({ bytes: 40_000 })
  })

  test('that stalls is refused as by S3, and nothing is stored', async () => {
    const { store, socket } = await beginUpload(1000, { idleMilliseconds: 300 })
    socket.write('half of it')
    const answer = await readToEnd(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answer).toMatch(/connection: close/i)
    expect(answer).toContain('<Code>RequestTimeout</Code>')
    expect(await store.head(KEY)).toBeUndefined()
  })

  test('that sends a byte at a time is refused too', async () => {
    const { store, socket } = await beginUpload(MEGABYTE, { idleMilliseconds: 10_000, rateWindowMilliseconds: 500 })
    const answer = readToEnd(socket)
    await sendSlowly(socket, 'x', MEGABYTE, 20)
    expect(await answer).toContain('<Code>RequestTimeout</Code>')
    expect(await store.head(KEY)).toBeUndefined()
  })

  test('that is refused while its client still sends does not lose the response', async () => {
    const { socket } = await beginUpload(MEGABYTE, { idleMilliseconds: 10_000, rateWindowMilliseconds: 200 })
    // A client that reads the response only after it has sent for long enough to be refused.
    await sendSlowly(socket, 'x', 100, 10)
    expect(await readToEnd(socket)).toContain('<Code>RequestTimeout</Code>')
  })

  test('whose client left before it was read ends, and stores nothing', async () => {
    const { store, socket, url } = await beginUpload(1000, {})
    const reading = Promise.withResolvers<void>()
    const put = store.put.bind(store)
    const stored = new Promise((resolve, reject) => {
      store.put = async (key, content) => {
        socket.resetAndDestroy()
        await reading.promise
        const result = put(key, content)
        result.then(resolve, reject)
        return result
      }
    })
    await once(
      socket.on('error', () => {}),
      'close',
    )
    // The service has seen that the client is gone when it has read what came after.
    for (let request = 0; request < 2; request++) await fetch(`${url}/healthz`)
    reading.resolve()
    await expect(stored).rejects.toThrow(/aborted|Premature close/)
    expect(await store.head(KEY)).toBeUndefined()
  })

  test('that becomes invalid HTTP halfway is refused as by S3', async () => {
    const { store } = await startDocuments({})
    const address = await store.presignPut(KEY, { contentType: CONTENT_TYPE })
    const socket = begin('PUT', address, `content-type: ${CONTENT_TYPE}\r\ntransfer-encoding: chunked\r\n`)
    socket.write('5\r\nhello\r\nnonsense\r\n')
    const answer = await readToEnd(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answer).toContain('<Code>InvalidRequest</Code>')
    expect(await store.head(KEY)).toBeUndefined()
  })
})

describe('a body that stalls', () => {
  test('is refused in the format of its route', async () => {
    const souk = await startTestSouk({ timeouts: { idleMilliseconds: 300 } })
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const [api, oauth] = await Promise.all([
      sendHalf(souk, '/tokens/2021-03-01/restrictedDataToken', `x-amz-access-token: ${token}\r\n`),
      sendHalf(souk, '/auth/o2/token'),
    ])
    expect(api).toMatch(/^HTTP\/1\.1 408 Request Timeout/)
    expect(api).toContain('"code":"RequestTimeout"')
    expect(oauth).toMatch(/^HTTP\/1\.1 408 Request Timeout/)
    expect(oauth).toContain('"error":"invalid_request"')
  })

  function sendHalf(souk: TestSouk, path: string, headers = ''): Promise<string> {
    const body = 'content-type: application/json\r\ncontent-length: 100\r\n'
    const socket = begin('POST', souk.url + path, headers + body)
    socket.write('{')
    return readToEnd(socket)
  }
})

test('a client that keeps sending after the response is disconnected', async () => {
  const { url } = await startDocuments({ lingerMilliseconds: 300 })
  const socket = begin('GET', `${url}/healthz`, 'transfer-encoding: chunked\r\n')
  const answer = readToEnd(socket)
  await sendSlowly(socket, '5\r\nhello\r\n', 1_000_000, 5)
  expect(await answer).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('an unfinished request does not prevent the service from stopping', async () => {
  const documents = await startFileDocuments({ finishMilliseconds: 300 })
  const address = await documents.store.presignPut(KEY, { contentType: CONTENT_TYPE })
  const socket = begin(
    'PUT',
    address,
    `content-type: ${CONTENT_TYPE}\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n`,
  )
  await once(socket, 'data')
  const closed = readToEnd(socket)
  await documents.stop()
  await closed
})

// Which files a process has open can be seen on Linux only.
describe.skipIf(process.platform !== 'linux')('a download', () => {
  async function beginDownload(timeouts: Partial<Timeouts>) {
    const { store, folder } = await startDocuments(timeouts)
    await store.put(KEY, repeat(Buffer.alloc(MEGABYTE), 32))
    const socket = begin('GET', await store.presignGet(KEY, { contentType: CONTENT_TYPE }))
    socket.on('error', () => {})
    await waitFor(
      () => openFiles(folder),
      (open) => open > 0,
    )
    return { socket, folder }
  }

  async function* repeat(piece: Buffer, times: number) {
    for (let count = 0; count < times; count++) yield piece
  }

  function openFiles(folder: string): number {
    const targets = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return ''
      }
    })
    return targets.filter((target) => target.startsWith(folder)).length
  }

  const isClosed = (folder: string) =>
    waitFor(
      () => openFiles(folder),
      (open) => open === 0,
    )

  test('that is not read does not keep its file open', async () => {
    const { socket, folder } = await beginDownload({ stallMilliseconds: 500 })
    expect(socket.isPaused() || socket.listenerCount('data') === 0).toBe(true)
    await isClosed(folder)
  })

  test('that is read very slowly does not keep its file open', async () => {
    const { socket, folder } = await beginDownload({ stallMilliseconds: 2000, minBytesPerSecond: 1024 * MEGABYTE })
    const drips = (async () => {
      for await (const _ of every(20)) {
        if (socket.destroyed || socket.readableEnded) return
        socket.read(1024)
      }
    })()
    await isClosed(folder)
    socket.destroy()
    await drips
  })
})
