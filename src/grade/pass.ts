import type { LoggedMessage, LoggedRequestDetail } from '../dev/requests/public.ts'
import { type BodyFacts, factsOf } from './body-facts.ts'

/** One run of the command. */
export interface Pass {
  /** The name of the incident, or `calm` without one. */
  name: string
  exitCode: number
  /** How many calls the incident changed. Undefined without an incident. */
  hits: number | undefined
  /** In the order in which they started. */
  calls: Call[]
  /** Older requests that the log no longer had. */
  dropped: number
  /** Requests that the command removed from the log. */
  cleared: number
  /** Whether the command reset the marketplace, which ends the incident and clears the log. */
  wasReset: boolean
}

/** A request of the command and the response to it, as checks read them. */
export interface Call extends BodyFacts {
  id: string
  operation: string
  method: string
  path: string
  query: URLSearchParams
  /** Who called, as far as it is known. */
  caller: string
  subjects: Record<string, readonly string[]>
  /** Undefined if the client saw no response. */
  status: number | undefined
  /** Of the system, in milliseconds. */
  startedAt: number
  endedAt: number
  /** Of the marketplace, in milliseconds. */
  time: number
  /** Whether a fault rule changed what happened. */
  isFaulty: boolean
  /** Calls per second that the response announced. */
  rateLimit: number | undefined
  usesRestrictedToken: boolean
  /** Which refresh token a request for an access token used, as far as the log shows it. */
  grant: string | undefined
  /** Whether the log has only a part of the response. */
  isCut: boolean
}

const RESTRICTED_TOKEN = /^Atz\.sprdt\|/i

export function toCall(logged: LoggedRequestDetail): Call {
  const { id, operation, method, path, subjects, request, response } = logged
  const startedAt = Date.parse(logged.startedAt)
  const { authorization: _, ...headers } = request.headers
  return {
    id,
    operation,
    method,
    path,
    query: new URLSearchParams(logged.query),
    caller: [logged.application, logged.seller].join(' '),
    subjects,
    status: logged.outcome === 'completed' ? logged.status : undefined,
    startedAt,
    // Starts are in whole milliseconds, so that a reaction in the same millisecond counts as later.
    endedAt: Math.floor(startedAt + (logged.milliseconds ?? 0)),
    time: Date.parse(logged.time),
    isFaulty: logged.faultId !== undefined,
    rateLimit: Number(response?.headers['x-amzn-ratelimit-limit'] ?? Number.NaN) || logged.quota?.perSecond,
    usesRestrictedToken: Object.values(headers).some((value) => RESTRICTED_TOKEN.test(value)),
    grant: logged.grant,
    ...factsOf(bodyOf(request), response && bodyOf(response)),
    isCut: response?.isCut ?? false,
  }
}

/** JSON or a form as a value, anything else as text. */
function bodyOf({ body, headers }: LoggedMessage): unknown {
  if (body === undefined) return undefined
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body))
  }
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

export const succeeded = ({ status = 0 }: Call) => status >= 200 && status < 300

/** Whether it asked for a change, and was not a read that is sent as a POST. */
export const isWrite = ({ method, operation }: Call) => method !== 'GET' && !/^(get|search|createToken)/.test(operation)
