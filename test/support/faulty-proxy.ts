import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What the proxy does with what passes through it. Refusing: nobody listens. Silent: connections are accepted and
 * requests are read, but nothing ever comes back. Dripping: answers come a byte at a time. Resetting: connections are
 * cut at the next byte.
 */
export type Mode = 'passing' | 'refusing' | 'silent' | 'dripping' | 'resetting'

const DRIP_EVERY_MILLISECONDS = 50

/**
 * A TCP proxy of ours in front of a real server, for failures that the server itself cannot produce. The mode can be
 * changed at any time and holds for open connections too.
 */
export class FaultyProxy {
  readonly #upstreamPort: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #mode: Mode = 'passing'
  #passFirst = 0
  /** How many connections were accepted. */
  connections = 0

  constructor(upstreamPort: number) {
    this.#upstreamPort = upstreamPort
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
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

  /** So many bytes of answers still pass as they are. */
  async set(mode: Mode, { afterBytes = 0 } = {}): Promise<void> {
    this.#mode = mode
    this.#passFirst = afterBytes
    if (mode === 'refusing') await this.close()
    else if (!this.#server) await this.open()
  }

  #serve(client: Socket): void {
    this.connections++
    const upstream = connect(this.#upstreamPort, '127.0.0.1')
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (this.#passes || this.#mode === 'dripping') upstream.write(bytes)
      else if (this.#mode === 'resetting') client.resetAndDestroy()
    })
    upstream.on('data', async (bytes) => {
      upstream.pause()
      for (const byte of this.#passAtOnce(client, bytes)) await this.#drip(client, byte)
      upstream.resume()
    })
  }

  get #passes(): boolean {
    return this.#mode === 'passing' || this.#passFirst > 0
  }

  /** Answers the bytes that are still to be dripped. */
  #passAtOnce(client: Socket, bytes: Buffer): Buffer {
    const passing = this.#mode === 'passing' ? bytes.length : this.#passFirst
    this.#passFirst = Math.max(0, this.#passFirst - bytes.length)
    if (passing > 0) client.write(bytes.subarray(0, passing))
    const rest = bytes.subarray(passing)
    if (rest.length > 0 && this.#mode === 'resetting') client.resetAndDestroy()
    return this.#mode === 'dripping' ? rest : Buffer.alloc(0)
  }

  async #drip(client: Socket, byte: number): Promise<void> {
    if (client.destroyed) return
    client.write(Buffer.of(byte))
    if (this.#mode === 'dripping') await new Promise((resolve) => setTimeout(resolve, DRIP_EVERY_MILLISECONDS))
  }
}
