import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toReachableHost } from '../http/reachable-host.ts'
import type { Routes } from '../http/route.ts'
import { defaultTimeouts, type Timeouts } from '../http/timeouts.ts'
import type { CertificateAuthority } from '../platform/certificates/certificate-authority.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { LocalQueue } from './local-queue.ts'
import { addConnectProxy } from './proxy/connect-proxy.ts'
import { createForwardProxy } from './proxy/forward-proxy.ts'
import { createPassThrough, type ProxyThrough } from './proxy/pass-through.ts'
import { Tunnels } from './proxy/tunnels.ts'
import { createAuthorityRoutes } from './tls/authority-routes.ts'
import { TlsPortError } from './tls/tls-port-error.ts'
import type { TlsTerminator } from './tls/tls-terminator.ts'

export interface VendorAccessOptions {
  /** The folder of the local certificate authority. Default: a temporary one. */
  folder: string | undefined
  proxyThrough: ProxyThrough
  queue: LocalQueue
  timeouts: Partial<Timeouts> | undefined
  logger: Logger
}

/**
 * How clients whose hosts are fixed reach the stand-in without a change: by TLS, and by a proxy on the port of the API.
 * What that needs is loaded and created with the first such client.
 */
export class VendorAccess {
  readonly routes: Routes
  readonly #options: VendorAccessOptions
  readonly #timeouts: Timeouts
  readonly #tunnels: Tunnels
  #temporaryFolder: string | undefined
  #authority: Promise<CertificateAuthority> | undefined
  #tls: Promise<TlsTerminator> | undefined
  #api: Server | undefined
  #isClosed = false

  constructor(options: VendorAccessOptions) {
    this.#options = options
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts }
    this.#tunnels = new Tunnels(this.#timeouts)
    const passThrough = createPassThrough(options.proxyThrough)
    const addForwardProxy = createForwardProxy({ queue: options.queue, passThrough, tunnels: this.#tunnels })
    const addAuthorityRoutes = createAuthorityRoutes(async () => (await this.localAuthority()).certificate)
    this.routes = (app) => {
      this.#api = app.server
      addConnectProxy(app.server, {
        openTls: () => this.#openTls(app.server),
        passThrough,
        tunnels: this.#tunnels,
        logger: options.logger,
      })
      addForwardProxy(app)
      addAuthorityRoutes(app)
    }
  }

  async localAuthority(): Promise<Pick<CertificateAuthority, 'file' | 'bundleFile' | 'certificate'>> {
    const { file, bundleFile, certificate } = await this.#openAuthority()
    return { file, bundleFile, certificate }
  }

  #openAuthority(): Promise<CertificateAuthority> {
    this.#authority ??= this.#loadAuthority().catch((error: unknown) => {
      // The user may repair it while the stand-in runs.
      this.#authority = undefined
      throw error
    })
    return this.#authority
  }

  /** Opens the TLS port and returns its URL. */
  async listen(host: string, port: number): Promise<string> {
    if (!this.#api) throw new Error('The routes must be added first')
    const tls = await this.#openTls(this.#api)
    const opened = await tls.listen(host, port).catch((cause: unknown) => {
      throw new TlsPortError({ cause })
    })
    return `https://${toReachableHost(host)}:${opened}`
  }

  /** Closes the TLS port and connections that carry no request. To be called before the server closes. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#tunnels.close()
    const tls = await this.#tls?.catch(() => undefined)
    tls?.close()
    if (this.#temporaryFolder) rmSync(this.#temporaryFolder, { recursive: true, force: true })
  }

  #openTls(api: Server): Promise<TlsTerminator> {
    this.#tls ??= this.#startTls(api).catch((error: unknown) => {
      this.#tls = undefined
      throw error
    })
    return this.#tls
  }

  async #startTls(api: Server): Promise<TlsTerminator> {
    const authority = await this.#openAuthority()
    const { TlsTerminator } = await import('./tls/tls-terminator.ts')
    const { queue, logger } = this.#options
    return new TlsTerminator({
      authority,
      api,
      queue,
      handshakeMilliseconds: this.#timeouts.headersMilliseconds,
      logger,
    })
  }

  async #loadAuthority(): Promise<CertificateAuthority> {
    // Its temporary folder would remain.
    if (this.#isClosed) throw new Error('The stand-in has stopped')
    const { openAuthority } = await import('../platform/certificates/certificate-authority.ts')
    const { logger } = this.#options
    return openAuthority(this.#folder(), (message) => logger.warn(message))
  }

  #folder(): string {
    if (this.#options.folder !== undefined) return this.#options.folder
    this.#temporaryFolder ??= mkdtempSync(join(tmpdir(), 'souk-tls-'))
    return this.#temporaryFolder
  }
}
