// The request log as `startSouk` has it. Users compile these types, so they refer to no dependency.
import type { SubjectMatch } from '../subjects.ts'

/** Which requests are meant. All that is given must match. */
export interface RequestFilter extends SubjectMatch {
  /** The name of the operation, such as `getOrder`; `unknown` for other paths. */
  operation?: string
  seller?: string
  application?: string
  /** Of requests for tokens: which refresh token, as the log names it. */
  grant?: string
  /** A status, or `4xx` for all of a class. */
  status?: number | string
  method?: string
  /** How the path begins. */
  path?: string
  /** A text in the URL or in a body, ignoring case. */
  q?: string
}

export interface RequestPage {
  /** A time of the marketplace, or the id of a request: only requests from that time on, or after it. */
  since?: string | Date
  /** Default: 50; at most 200. */
  limit?: number
  /** `nextCursor` of the page before. */
  cursor?: string
}

export interface LoggedRequest {
  /** The header `x-amzn-RequestId`. */
  id: string
  /** Where the control plane has it: the header `x-souk-request-url`. */
  url: string
  operation: string
  method: string
  path: string
  /** As it was sent, but without secrets. */
  query: string
  /** Absent while it is running, and if no response was sent. */
  status?: number
  outcome: 'running' | 'completed' | 'clientGone'
  /** The time of the marketplace at which it started. */
  time: string
  /** The time of the system at which it started. */
  startedAt: string
  milliseconds?: number
  seller?: string
  application?: string
  /** Of a request for a token: the same for the same refresh token, which it does not reveal. */
  grant?: string
  /** The ids that it is about, such as `{ sku: ['SKU-1'] }`. */
  subjects: Record<string, readonly string[]>
  /** The caller's quota of the operation, and what was left of it. */
  quota?: { perSecond: number; burst: number; left: number }
  /** The rule that changed the response. */
  faultId?: string
  error?: { code: string; message: string; reason: string }
}

export interface LoggedMessage {
  headers: Record<string, string>
  bytes: number
  /** Absent if there is none, or if it is a document. */
  body?: string
  isCut?: true
}

export interface RequestExplanation {
  /** The rule that refused the request. */
  rule: string
  /** What the rule looked at. */
  facts: Record<string, unknown>
  /** The nearest request that this rule lets pass. */
  nearest?: {
    method: string
    /** The path and the query. */
    url: string
    headers?: Record<string, string>
    body?: unknown
    /** The time of the marketplace to wait for. */
    notBefore?: string
    /** What to do before. */
    first?: string
  }
  /** Why no request like this one passes. Present if there is no `nearest`. */
  noNearest?: string
}

export interface LoggedRequestDetail extends LoggedRequest {
  request: LoggedMessage
  response?: LoggedMessage
  /** Present if the request was refused. */
  explanation?: RequestExplanation
}

export interface LoggedRequests {
  requests: LoggedRequest[]
  nextCursor?: string
  /** How many older requests the log no longer has. */
  dropped: number
  /** How many requests were removed by clearing the log, or by a reset. */
  cleared: number
}

/** An HTTP Archive. Its format is known to the programs that read it. */
export interface HttpArchive {
  log: { version: string; creator: { name: string; version: string }; entries: object[] }
}

/** The last requests that clients sent. */
export interface Requests {
  /** Newest first. */
  list(filter?: RequestFilter & RequestPage): Promise<LoggedRequests>
  get(id: string): Promise<LoggedRequestDetail>
  /** The requests as an HTTP Archive (HAR 1.2). */
  har(filter?: RequestFilter & Pick<RequestPage, 'since'>): Promise<HttpArchive>
  clear(): Promise<void>
  /** Each request from now on, when it is over. Ends with the marketplace, or when the loop is left. */
  stream(filter?: RequestFilter): AsyncIterableIterator<LoggedRequest>
}
