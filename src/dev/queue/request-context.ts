import type { IncomingMessage } from 'node:http'
import { vendorServiceOf } from '../../platform/vendor-hosts.ts'
import type { RequestContext } from './operation.ts'

const DEFAULT_REGION = 'us-east-1'
const CREDENTIAL_SCOPE = /Credential=[^/,\s]{1,200}\/\d{8}\/([a-z0-9-]{1,32})\//
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
const QUEUE_PATH = /^\/[^/?]{1,100}\/([^/?]{1,100})\/?(?:\?|$)/

/** Takes the URL of the port, for requests whose host cannot be used. */
export function contextOf({ headers, url = '' }: IncomingMessage, portUrl: string): Omit<RequestContext, 'gone'> {
  const [, region = DEFAULT_REGION] = CREDENTIAL_SCOPE.exec(headers.authorization ?? '') ?? []
  const [, queueOfPath] = QUEUE_PATH.exec(url) ?? []
  return { region, queueOfPath, origin: originOf(headers.host, portUrl) }
}

/** Clients send the next requests to the URL of the queue, so its host must be one that leads here. */
function originOf(host: string | undefined, portUrl: string): string {
  if (host === undefined || !HOST.test(host)) return portUrl
  return `${vendorServiceOf(host) === 'queue' ? 'https' : 'http'}://${host}`
}
