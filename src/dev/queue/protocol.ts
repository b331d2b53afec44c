import type { IncomingHttpHeaders } from 'node:http'
import type { Input } from './input.ts'
import type { QueueError } from './queue-error.ts'

export interface ProtocolRequest {
  headers: IncomingHttpHeaders
  /** Path and query. */
  url: string
  body: string
}

/** One of the two ways in which clients write requests and read responses. */
export interface Protocol {
  contentType: string
  parse(request: ProtocolRequest): { action: string; input: Input }
  renderResult(action: string, result: object, requestId: string): string
  renderError(error: QueueError, requestId: string): string
  errorHeaders(error: QueueError): Record<string, string>
}
