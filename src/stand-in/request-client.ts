import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type {
  HttpArchive,
  LoggedRequest,
  LoggedRequestDetail,
  LoggedRequests,
  RequestFilter,
  Requests,
} from '../dev/requests/public.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { createStream } from './bounded-stream.ts'
import type { SendJson } from './life-client.ts'

const PATH = '/_souk/requests'

/** Subscribes to requests that match. Returns a function that ends it. */
export type WatchRequests = (
  filter: RequestFilter,
  receive: (request: LoggedRequest) => void,
  end: () => void,
) => () => void

/** The request log of `startSouk`: the requests of `/_souk/requests`. */
export function createRequestClient(send: SendJson, watch: WatchRequests): Requests {
  const call = async <Result>(method: 'GET' | 'DELETE', path: string): Promise<Result> => {
    const response = await send(method, path)
    if (response.statusCode === 204) return undefined as Result
    const result = response.json()
    if (response.statusCode === 200) return result as Result
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
  return {
    list: (filter = {}) => call<LoggedRequests>('GET', `${PATH}?${queryOf(filter)}`),
    get: (id) => call<LoggedRequestDetail>('GET', `${PATH}/${encodeURIComponent(id)}`),
    har: (filter = {}) => call<HttpArchive>('GET', `${PATH}.har?${queryOf(filter)}`),
    clear: () => call<void>('DELETE', PATH),
    stream: (filter = {}) =>
      createStream<LoggedRequest>(({ receive, end }) => withActErrors(() => watch(filter, receive, end))),
  }
}

/** It is no request to the control plane, but fails as one would. */
export function withActErrors<Result>(subscribe: () => Result): Result {
  try {
    return subscribe()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, code, message, details } = error
    throw new ActError(status, [{ code, message, details }])
  }
}

export function queryOf(filter: object): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return query
}
