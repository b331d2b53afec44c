import { type VendorService, vendorServiceOf } from '../platform/vendor-hosts.ts'

const DEFAULT_URL = 'http://127.0.0.1:4700'
const MAX_PORT = 65535

/** Where the requests to a vendor's host go. */
export interface Target {
  hostname: string
  port: number
  /** As the user set it, for messages. */
  url: string
  service: VendorService
}

export interface Targets {
  url: string
  queueUrl: string
}

/** Returns where the requests to a host go; undefined if it is not one of the vendor's. */
export type FindTarget = (host: unknown) => Target | undefined

/** Reads the addresses of Souk and of its queue. Throws an error with one sentence if they are unusable. */
export function readTargets(env: NodeJS.ProcessEnv): Targets {
  return { url: readMain(env).url, queueUrl: readQueue(env).url }
}

/** Reads the variables with every connection: a test that starts Souk knows its port only then. */
export function createFindTarget(env: NodeJS.ProcessEnv): FindTarget {
  return (host) => {
    const service = typeof host === 'string' ? vendorServiceOf(host) : undefined
    return service && { ...(service === 'queue' ? readQueue(env) : readMain(env)), service }
  }
}

const readMain = (env: NodeJS.ProcessEnv) => parseAddress(env.SOUK_URL || DEFAULT_URL, 'SOUK_URL')

function readQueue(env: NodeJS.ProcessEnv): Address {
  const name = ['SOUK_QUEUE_URL', 'AWS_ENDPOINT_URL_SQS'].find((one) => env[one])
  return name ? parseAddress(env[name] as string, name) : nextPort(readMain(env))
}

type Address = Omit<Target, 'service'>

function parseAddress(text: string, variable: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search !== '') {
    throw new Error(`${variable} must be an http address without a path, such as ${DEFAULT_URL}, not "${text}".`)
  }
  // A URL has brackets around an IPv6 address, and a socket has none.
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80), url: url.origin }
}

/** `souk dev` has its queue at the port after its own. */
function nextPort({ hostname, port, url }: Address): Address {
  const next = (port % MAX_PORT) + 1
  return { hostname, port: next, url: Object.assign(new URL(url), { port: String(next) }).origin }
}
