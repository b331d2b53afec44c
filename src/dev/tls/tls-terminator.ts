import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { CertificateAuthority } from '../../platform/certificates/certificate-authority.ts'
import { SystemClock } from '../../platform/clock/system-clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { FIXED_VENDOR_HOSTS, vendorServiceOf } from '../../platform/vendor-hosts.ts'

export interface TlsTerminatorOptions {
  authority: CertificateAuthority
  /** Receives the decrypted connections of all hosts but those of queues. */
  api: HttpServer
  /** Receives the decrypted connections of queue hosts. */
  queue: { accept(socket: Socket): void }
  handshakeMilliseconds: number
  logger: Logger
}

// A bucket and a region each make a host name, so the number of names has no limit of its own.
const MAX_CACHED_HOSTS = 1000

const NO_TRUST = /ALERT_(UNKNOWN_CA|CERTIFICATE_UNKNOWN|BAD_CERTIFICATE)/

// Certificates expire in real time.
const realClock = new SystemClock()

/** Decrypts connections of clients to the vendor's hosts, from a port of its own or from the proxy. */
export class TlsTerminator {
  readonly #options: TlsTerminatorOptions
  readonly #server: Server
  readonly #handshaking = new Map<string, Socket>()
  readonly #ofQueue = new Set<Socket>()
  readonly #contexts = new BoundedMap<string, SecureContext>(MAX_CACHED_HOSTS)
  #renewAt = 0

  constructor(options: TlsTerminatorOptions) {
    this.#options = options
    this.#server = createServer({
      ALPNProtocols: ['http/1.1'],
      noDelay: true,
      handshakeTimeout: options.handshakeMilliseconds,
      SNICallback: (name, done) => done(null, this.#contextOf(name)),
    })
    this.#server.prependListener('connection', (socket: Socket) => {
      this.#renewIfDue()
      const key = connectionKey(socket)
      this.#handshaking.set(key, socket)
      socket.once('close', () => this.#handshaking.delete(key))
    })
    this.#server.on('secureConnection', (socket) => this.#forward(socket))
    this.#server.on('tlsClientError', (error, socket) => this.#reportFailure(error, socket))
    this.#renewIfDue()
  }

  /** Takes over a connection on which the client is about to start TLS. */
  accept(socket: Socket): void {
    this.#server.emit('connection', socket)
  }

  /** Opens a port and returns its number. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the port. Connections with requests end with the server that has them. */
  close(): void {
    if (this.#server.listening) this.#server.close()
    for (const socket of this.#handshaking.values()) socket.destroy()
    // The API counts those of its proxy, and would wait for consumers that poll the queue.
    for (const socket of this.#ofQueue) socket.destroy()
  }

  /** Server certificates last for weeks, and a stand-in can run longer than that. */
  #renewIfDue(): void {
    const now = realClock.now().getTime()
    if (now < this.#renewAt) return
    const { authority } = this.#options
    this.#renewAt = now + authority.renewAfterMilliseconds
    this.#contexts.clear()
    // For clients that send no host name.
    this.#server.setSecureContext(authority.issue(['localhost', ...FIXED_VENDOR_HOSTS]))
  }

  /** One certificate per host: no wildcard matches a bucket with a dot in its name, or a region that is not listed. */
  #contextOf(name: string): SecureContext | undefined {
    // RFC 6066 has neither a dot at the end nor a port, and a certificate cannot have them.
    const host = name.toLowerCase().replace(/\.$/, '')
    // Another host gets the certificate for localhost, and the client says that the names differ.
    if (host.includes(':') || !vendorServiceOf(host)) return undefined
    const cached = this.#contexts.get(host)
    if (cached) return cached
    const context = createSecureContext(this.#options.authority.issue([host]))
    this.#contexts.set(host, context)
    return context
  }

  #forward(socket: TLSSocket): void {
    this.#handshaking.delete(connectionKey(socket))
    const { api, queue } = this.#options
    if (vendorServiceOf(socket.servername || '') !== 'queue') return void api.emit('connection', socket)
    this.#ofQueue.add(socket)
    socket.once('close', () => this.#ofQueue.delete(socket))
    queue.accept(socket)
  }

  #reportFailure(error: NodeJS.ErrnoException, socket: TLSSocket): void {
    socket.destroy()
    const { logger, authority } = this.#options
    const { code = '' } = error
    const host = socket.servername || undefined
    if (NO_TRUST.test(code)) {
      logger.warn({ host, code }, `the client does not trust ${authority.file}: run "souk tls" for the settings`)
    } else if (code !== 'ECONNRESET') {
      logger.warn({ host, code }, 'TLS handshake failed')
    }
  }
}

/** The same for a TLS socket and the socket below it. */
const connectionKey = ({ remoteAddress, remotePort, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localPort}`
