import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Logger } from '../platform/logging/logger.ts'
import type { BuiltApp } from './app.ts'
import { toReachableHost } from './reachable-host.ts'

export interface EdgeOptions {
  /** Whether the app is built for the first request. It takes more time and memory than the rest of a marketplace. */
  isLazy: boolean
  logger: Logger
}

/** The port of a service, and the app that serves it. */
export class Edge {
  readonly #build: () => Promise<BuiltApp>
  readonly #logger: Logger
  #built: Promise<BuiltApp> | undefined
  /** Accepts the connections that come before the app. */
  #port: Server | undefined

  private constructor(build: () => Promise<BuiltApp>, logger: Logger) {
    this.#build = build
    this.#logger = logger
  }

  static async open(build: () => Promise<BuiltApp>, { isLazy, logger }: EdgeOptions): Promise<Edge> {
    const edge = new Edge(build, logger)
    if (!isLazy) await edge.#open()
    return edge
  }

  /** Opens a port and returns its URL. */
  async listen({ host, port }: { host: string; port: number }): Promise<string> {
    if (this.#built) return (await this.#built).app.listen({ host, port })
    // Paused: the app reads all that its client sends. The other options are those of an HTTP server.
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true })
    server.on('connection', (socket) => void this.#serve(socket))
    server.listen(port, host)
    await once(server, 'listening')
    this.#port = server
    return `http://${toReachableHost(host)}:${(server.address() as AddressInfo).port}`
  }

  /** Sends a request without a socket. */
  async inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    return (await this.#open()).app.inject(request)
  }

  /** Turns readiness off and has clients leave, while the port stays open. */
  drain(): void {
    this.#built?.then(
      ({ drain }) => drain(),
      () => {},
    )
  }

  /** Closes the port, finishes what is under way, and cuts off what does not finish in time. */
  async close(): Promise<void> {
    this.#port?.close()
    const built = await this.#built?.catch(() => undefined)
    await built?.close()
  }

  #open(): Promise<BuiltApp> {
    this.#built ??= this.#buildAndTakeOver()
    return this.#built
  }

  async #buildAndTakeOver(): Promise<BuiltApp> {
    const built = await this.#build()
    await built.app.ready()
    if (!this.#port?.listening) return built
    // From now on, the server of the app accepts the connections.
    built.app.server.listen(this.#port)
    await once(built.app.server, 'listening')
    return built
  }

  async #serve(socket: Socket): Promise<void> {
    try {
      const { app } = await this.#open()
      app.server.emit('connection', socket)
      socket.resume()
    } catch (err) {
      this.#logger.error({ err }, 'the routes cannot be built')
      socket.destroy()
    }
  }
}
