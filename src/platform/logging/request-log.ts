import { type Logger, symbols } from 'pino'
import type { Caller } from '../auth/caller.ts'
import { rememberByCaller } from '../auth/remember-by-caller.ts'

const INFO = 30
const WARN = 40
const ERROR = 50
const MAX_TEXT_LENGTH = 1000

/** What is logged of a request. */
export interface RequestLine {
  requestId: string
  operation: string
  caller: Caller | undefined
  method: string
  path: string
  status: number
  milliseconds: number
  /** Present when the request was refused or failed. */
  error: LoggedError | undefined
}

/** Why a request was refused, as far as it may be logged: see `redactQuery` and `ApiError.reason`. */
export interface LoggedError {
  query: string
  code: string
  message: string
  reason: string
}

/**
 * Writes a line for every request, in pino's own form and to pino's own destination, but put together here: for a line
 * whose fields are known, pino's general way takes several times as long, and JSON.stringify twice as long. The id, the
 * operation and the method have no character that JSON escapes. A request that was refused is a warning that says why;
 * one that failed is an error. A probe that finds a planned stop has not failed.
 */
export function createRequestLog(logger: Logger): (line: RequestLine) => void {
  const { [symbols.streamSym]: output } = logger as unknown as Record<symbol, { write(line: string): void }>
  const membersOf = rememberByCaller(renderCaller)
  return ({ requestId, operation, caller, method, path, status, milliseconds, error }) => {
    const level = status < 400 ? INFO : status < 500 || !error ? WARN : ERROR
    if (logger.levelVal > level) return
    const subject = `"requestId":"${requestId}","operation":"${operation}"${caller ? membersOf(caller) : ''}`
    const request = `"method":"${method}","path":${JSON.stringify(path)},"status":${status},"milliseconds":${milliseconds}`
    const reason = error ? membersIn(truncateFields(error)) : ''
    output?.write(`{"level":${level},"time":${Date.now()},${subject},${request},"msg":"request"${reason}}\n`)
  }
}

const renderCaller = (caller: Caller) =>
  membersIn({ seller: caller.kind === 'seller' ? caller.sellerId : undefined, application: caller.applicationId })

const membersIn = (fields: object) => `,${JSON.stringify(fields).slice(1, -1)}`

/** Each text may hold text of the caller, and a log line should stay a line that can be read. */
function truncateFields({ query, code, message, reason }: LoggedError) {
  return {
    ...(query && { query: truncate(query) }),
    code,
    message: truncate(message),
    ...(reason && { reason: truncate(reason) }),
  }
}

const truncate = (text: string) => (text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 3)}...`)
