import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Refusing: nothing listens on the port. Silent: the proxy reads requests and never responds. Dripping: responses
 * arrive one byte at a time. Resetting: connections are reset at the next byte. Cutting: a connection is closed instead
 * of delivering the response to a request that `cutAfter` matches or that contains it, after `cutWith`. Delaying:
 * requests pass late that contain `delayed`. Spoiling: the first request that contains `spoiled` passes with a mistake
 * there.
 */
export type Mode = 'passing' | 'refusing' | 'silent' | 'dripping' | 'resetting' | 'cutting' | 'delaying' | 'spoiling'

type CutAfter = string | ((request: Buffer) => boolean)

const DRIP_EVERY_MILLISECONDS = 50
/** How PostgreSQL begins the message with the id of its process. */
const PROCESS_ID_FOLLOWS = Buffer.from([...Buffer.from('K'), 0, 0, 0, 12])

/**
 * Our own TCP proxy in front of a real server, for failures that the server itself cannot produce. A change of the mode
 * applies to open connections too.
 */
export class FaultyProxy {
  readonly #upstreamPort: number
  readonly #upstreamHost: string
  readonly #sockets = new Set<Socket>()
  readonly #lost = new WeakSet<Socket>()
  readonly #slow = new WeakSet<Socket>()
  #server: Server | undefined
  #port = 0
  #mode: Mode = 'passing'
  #passFirst = 0
  #cutAfter: CutAfter = ''
  #cutWith = ''
  #delayed = ''
  #delayMilliseconds = 0
  #spoiled = ''
  /** Accepted connections so far. */
  connections = 0
  /** How many requests were delayed. */
  delays = 0
  /** How many of the lost connections their clients have closed. */
  givenUp = 0
  /** Whether new connections to PostgreSQL report another process id, as those of a pooler do. */
  isPooler = false

  constructor(upstreamPort: number, upstreamHost = '127.0.0.1') {
    this.#upstreamPort = upstreamPort
    this.#upstreamHost = upstreamHost
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** The URL of the target, by way of the proxy. */
  through(target: string): string {
    const url = new URL(target)
    url.hostname = '127.0.0.1'
    url.port = String(this.#port)
    return url.href
  }

  async open(): Promise<this> {
    const server = createServer((client) => this.#serve(client))
    await once(server.listen(this.#port, '127.0.0.1'), 'listening')
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    return this
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  /** `afterBytes` bytes of responses pass before the mode applies. */
  async set(
    mode: Mode,
    { afterBytes = 0, cutAfter = '' as CutAfter, cutWith = '', delayed = '', delayMilliseconds = 0, spoiled = '' } = {},
  ): Promise<void> {
    this.#mode = mode
    this.#passFirst = afterBytes
    this.#cutAfter = cutAfter
    this.#cutWith = cutWith
    this.#delayed = delayed
    this.#delayMilliseconds = delayMilliseconds
    this.#spoiled = spoiled
    if (mode === 'refusing') await this.close()
    else if (!this.#server) await this.open()
  }

  /** From now on, all packets of the connections that are open are lost. New connections work. */
  loseOpenConnections(): void {
    for (const socket of this.#sockets) this.#lost.add(socket)
  }

  /** From now on, responses on the connections that are open drip. */
  slowOpenConnections(): void {
    for (const socket of this.#sockets) this.#slow.add(socket)
  }

  #serve(client: Socket): void {
    this.connections++
    let hidesProcessId = this.isPooler
    const upstream = connect(this.#upstreamPort, this.#upstreamHost)
    let isCut = false
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        // The packet that says so is lost, too.
        if (this.#lost.has(socket)) {
          if (socket === client) this.givenUp++
          return
        }
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (this.#lost.has(client)) return
      if (this.#mode === 'cutting') isCut ||= matches(bytes, this.#cutAfter)
      if (this.#mode === 'spoiling') this.#spoil(bytes)
      if (this.#mode === 'delaying' && bytes.includes(this.#delayed)) {
        this.delays++
        setTimeout(() => upstream.write(bytes), this.#delayMilliseconds).unref()
      } else if (this.#passes || this.#mode === 'dripping') upstream.write(bytes)
      else if (this.#mode === 'resetting') client.resetAndDestroy()
    })
    upstream.on('data', async (bytes) => {
      if (this.#lost.has(upstream)) return
      if (isCut) return this.#cutWith === '' ? client.destroy() : client.end(this.#cutWith, 'latin1')
      if (hidesProcessId) hidesProcessId = !changeProcessId(bytes)
      upstream.pause()
      for (const byte of this.#passAtOnce(client, bytes)) await this.#drip(client, byte)
      upstream.resume()
    })
  }

  get #passesResponses(): boolean {
    return ['passing', 'cutting', 'delaying', 'spoiling'].includes(this.#mode)
  }

  get #passes(): boolean {
    return this.#passesResponses || this.#passFirst > 0
  }

  #spoil(request: Buffer): void {
    const start = request.indexOf(this.#spoiled)
    if (start < 0) return
    request.write('?', start)
    this.#mode = 'passing'
  }

  /** Returns the bytes that remain to be dripped. */
  #passAtOnce(client: Socket, bytes: Buffer): Buffer {
    if (this.#slow.has(client)) return bytes
    const passing = this.#passesResponses ? bytes.length : this.#passFirst
    this.#passFirst = Math.max(0, this.#passFirst - bytes.length)
    if (passing > 0) client.write(bytes.subarray(0, passing))
    const rest = bytes.subarray(passing)
    if (rest.length > 0 && this.#mode === 'resetting') client.resetAndDestroy()
    return this.#mode === 'dripping' ? rest : Buffer.alloc(0)
  }

  async #drip(client: Socket, byte: number): Promise<void> {
    if (client.destroyed) return
    client.write(Buffer.of(byte))
    if (this.#mode === 'dripping' || this.#slow.has(client))
      await new Promise((resolve) => setTimeout(resolve, DRIP_EVERY_MILLISECONDS))
  }
}

/** Returns whether the bytes have one. */
function changeProcessId(bytes: Buffer): boolean {
  const start = bytes.indexOf(PROCESS_ID_FOLLOWS)
  if (start >= 0)
    bytes.writeInt32BE(~bytes.readInt32BE(start + PROCESS_ID_FOLLOWS.length), start + PROCESS_ID_FOLLOWS.length)
  return start >= 0
}

const matches = (request: Buffer, wanted: CutAfter) =>
  typeof wanted === 'string' ? request.includes(wanted) : wanted(request)
