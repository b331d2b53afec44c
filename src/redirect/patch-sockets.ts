import dns from 'node:dns'
import module from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import type { FindTarget, Target } from './targets.ts'
import { UnencryptedSocket } from './unencrypted-socket.ts'

type ConnectOptions = Partial<net.TcpNetConnectOpts & tls.ConnectionOptions>
type Arguments = unknown[]

/**
 * Has connections of this process to the vendor's hosts arrive at Souk. Every HTTP client of Node.js ends in one of two
 * functions: `tls.connect` for https, and `net.Socket.prototype.connect` for http.
 */
export function patchSockets(targetOf: FindTarget): void {
  const connectTls = tls.connect
  const connectSocket = net.Socket.prototype.connect

  tls.connect = function connect(this: unknown, ...args: Arguments) {
    const { options, callback } = parseArguments(args)
    // The host of a connection through a proxy is in the server name only.
    const host = targetOf(options.servername) ? options.servername : options.host
    const target = options.path ? undefined : targetOf(host)
    if (!target) return Reflect.apply(connectTls, this, args)
    options.socket?.destroy()
    const { allowHalfOpen, signal, noDelay, keepAlive, keepAliveInitialDelay, onread } = options
    const defined = Object.entries({ allowHalfOpen, signal, noDelay, keepAlive, keepAliveInitialDelay, onread })
    const socket = new UnencryptedSocket(
      Object.fromEntries(defined.filter(([, value]) => value !== undefined)),
      host as string,
    )
    if (options.timeout) socket.setTimeout(options.timeout)
    if (callback) socket.once('secureConnect', callback)
    if (speaksOnlyHttp2(options.ALPNProtocols)) {
      return socket.destroy(new Error(`souk/redirect: ${host} was asked for HTTP/2, and Souk speaks HTTP/1.1 only.`))
    }
    explainFailure(socket, host as string, target)
    return Reflect.apply(connectSocket, socket, [toSouk({ host: host as string }, target)])
  } as typeof tls.connect

  net.Socket.prototype.connect = function connect(this: net.Socket, ...args: Arguments) {
    const { options, callback } = parseArguments(args)
    const target = options.path ? undefined : targetOf(options.host)
    if (!target) return Reflect.apply(connectSocket, this, args)
    explainFailure(this, options.host as string, target)
    return Reflect.apply(connectSocket, this, [toSouk(options, target), callback].filter(Boolean))
  }

  // For `import { connect } from 'node:tls'`.
  module.syncBuiltinESMExports()
}

/** The forms `(options, callback)` and `(port, host, options, callback)`, or an array of them that Node.js passes on. */
function parseArguments(args: Arguments): { options: ConnectOptions; callback: (() => void) | undefined } {
  if (Array.isArray(args[0])) return parseArguments(args[0])
  const last = args.at(-1)
  const [port, host] = args
  return {
    options: {
      ...((isPort(port) ? { port, ...(typeof host === 'string' && { host }) } : {}) as ConnectOptions),
      ...(args.find((one) => typeof one === 'object' && one !== null) as ConnectOptions | undefined),
    },
    callback: typeof last === 'function' ? (last as () => void) : undefined,
  }
}

const isPort = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/** The host stays, and only its lookup changes: clients with a timeout for the lookup wait for its event. */
function toSouk({ localAddress: _local, family: _family, ...options }: ConnectOptions, { hostname, port }: Target) {
  const lookup: net.LookupFunction = (_host, lookupOptions, callback) => dns.lookup(hostname, lookupOptions, callback)
  return { ...options, port, lookup }
}

function speaksOnlyHttp2(protocols: ConnectOptions['ALPNProtocols']): boolean {
  return Array.isArray(protocols) && protocols.length > 0 && protocols.every((one) => String(one) === 'h2')
}

const NO_CONNECTION = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'])

/** A client shows this error instead of a response, so it says which address is meant and how to start Souk. */
function explainFailure(socket: net.Socket, host: string, { service, url }: Target): void {
  const destroy = socket.destroy
  socket.destroy = function explain(this: net.Socket, error?: Error & { code?: string }) {
    if (error && NO_CONNECTION.has(error.code ?? '') && !error.message.includes('souk/redirect')) {
      const what = service === 'queue' ? 'the local queue of Souk' : 'Souk'
      error.message =
        `${error.message || error.code}: souk/redirect sends ${host} to ${url}, and ${what} is not running there. ` +
        'Start it with "npx souk dev" or, if it has another address, set SOUK_URL and SOUK_QUEUE_URL.'
    }
    return destroy.call(this, error)
  }
}
