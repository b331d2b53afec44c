import type { App } from '../../http/route.ts'
import { type CaptureOptions, captureRequests } from './capture.ts'
import type { ListKnownIds } from './explain.ts'
import { RequestLog } from './request-log.ts'
import { createRequestRoutes } from './routes.ts'
import { RequestStreams } from './stream.ts'
import { createVerifyRoutes } from './verify/routes.ts'
import { Verifier } from './verify/verifier.ts'

const DEFAULT_REQUESTS = 1_000

export interface RequestLogOptions extends Omit<CaptureOptions, 'log'> {
  /** How many requests the log keeps. Default: 1,000. */
  requests: number | undefined
  /** How much of a body it keeps. Default: 64 KiB. */
  maxBodyBytes?: number | undefined
  version: string
  listKnownIds: ListKnownIds
}

/** The request log of one stand-in. */
export function createRequestLog({
  requests = DEFAULT_REQUESTS,
  maxBodyBytes,
  version,
  ...options
}: RequestLogOptions) {
  const log = new RequestLog(requests, { ...(maxBodyBytes !== undefined && { maxBodyBytes }) })
  const streams = new RequestStreams({ log, ...options })
  return {
    /** On all routes that are registered later. */
    hooks: captureRequests({ log, ...options }),
    routes: (app: App) => {
      createRequestRoutes({ log, streams, version, ...options })(app)
      createVerifyRoutes(new Verifier({ log, ...options }))(app)
    },
    watch: streams.watch.bind(streams),
    /**
     * For a new state of the marketplace: requests to what no longer exists explain nothing. Those that wait for the new state
     * stay.
     */
    clearFinished: () => log.clear({ keepsRunning: true }),
  }
}
