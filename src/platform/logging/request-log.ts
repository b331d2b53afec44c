import { type Logger, symbols } from 'pino'

const INFO = 30

/** What is said of a request. */
export interface RequestLine {
  requestId: string
  operation: string
  seller: string | undefined
  application: string | undefined
  method: string
  path: string
  status: number
  milliseconds: number
}

/**
 * Writes a line for every request, in pino's own form and to pino's own destination, but put together by hand: for a
 * line whose fields are known, pino's general way takes several times as long. What a client has sent is made JSON; the
 * rest are names and ids of our own.
 */
export function createRequestLog(logger: Logger): (line: RequestLine) => void {
  const { [symbols.streamSym]: output } = logger as unknown as Record<symbol, { write(line: string): void }>
  return ({ requestId, operation, seller, application, method, path, status, milliseconds }) => {
    if (logger.levelVal > INFO) return
    const caller = `${member('seller', seller)}${member('application', application)}`
    output?.write(
      `{"level":${INFO},"time":${Date.now()},"requestId":"${requestId}","operation":"${operation}"${caller},"method":"${method}","path":${JSON.stringify(path)},"status":${status},"milliseconds":${milliseconds},"msg":"request"}\n`,
    )
  }
}

const member = (name: string, value: string | undefined) => (value === undefined ? '' : `,"${name}":"${value}"`)
