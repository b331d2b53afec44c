import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Metric } from '../platform/metrics/port.ts'
import { errorBody } from './error-handler.ts'
import { createMetricsPage, measureProcess } from './metrics-page.ts'

export interface ProbeServerOptions {
  host: string
  port: number
  metrics: readonly Metric[]
  /** Throws unless the process is ready. */
  checkReady(): Promise<void>
}

const TIMEOUT_MILLISECONDS = 10_000
const MAX_CONNECTIONS = 100

/** Serves `/healthz`, `/readyz` and `/metrics` for a process that serves nothing else. */
export async function startProbeServer({ host, port, metrics, checkReady }: ProbeServerOptions) {
  const renderMetrics = createMetricsPage(metrics)
  await measureProcess()
  let isStopping = false
  const server = createServer(
    {
      headersTimeout: TIMEOUT_MILLISECONDS,
      requestTimeout: TIMEOUT_MILLISECONDS,
      keepAliveTimeout: TIMEOUT_MILLISECONDS,
    },
    (request, response) => {
      request.resume()
      const path = request.url?.split('?', 1)[0]
      respond(request.method === 'GET' ? path : undefined, response).catch((error: unknown) => {
        sendError(response, error instanceof ApiError ? error : new ApiError('ServiceUnavailable', 'Not ready.'))
      })
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = TIMEOUT_MILLISECONDS
  await once(server.listen(port, host), 'listening')

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    /** Reports not ready. */
    drain() {
      isStopping = true
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }

  async function respond(path: string | undefined, response: ServerResponse): Promise<void> {
    if (path === '/healthz') return send(response, 'application/json', JSON.stringify({ status: 'ok' }))
    if (path === '/metrics') {
      const { contentType, text } = await renderMetrics()
      return send(response, contentType, text)
    }
    if (path !== '/readyz') {
      return sendError(response, new ApiError('NotFound', 'There are /healthz, /readyz and /metrics.'))
    }
    if (isStopping) throw new ApiError('ServiceUnavailable', 'The process is shutting down.')
    await checkReady()
    send(response, 'application/json', JSON.stringify({ status: 'ready' }))
  }
}

function sendError(response: ServerResponse, error: ApiError): void {
  if (response.headersSent) return void response.destroy()
  response.statusCode = error.status
  send(response, 'application/json', JSON.stringify(errorBody(error)))
}

function send(response: ServerResponse, contentType: string, body: string): void {
  response.setHeader('content-type', contentType)
  response.end(body)
}
