import { type DestinationStream, type Logger, pino } from 'pino'
import { joinSentences } from '../errors/sentences.ts'
import { BlockOutput } from './block-output.ts'

export type { Logger }
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface LoggerOptions {
  level: LogLevel
  /** Colored lines for a terminal instead of JSON. */
  pretty: boolean
}

/** Logs to standard output. Nothing of a request but what is named in a log call is logged, so no token ever is. */
export async function createLogger({ level, pretty }: LoggerOptions): Promise<Logger> {
  if (level === 'silent') return pino({ level })
  return pino({ level, base: null }, await destination(pretty))
}

async function destination(pretty: boolean): Promise<DestinationStream> {
  if (!pretty) return new BlockOutput()
  const { default: prettyStream } = await import('pino-pretty')
  return prettyStream({
    sync: true,
    ignore: 'requestId,operation,seller,application,method,path,status,milliseconds,query,code,message,reason',
    messageFormat: (line) => (line.msg === 'request' ? formatRequest(line) : String(line.msg)),
  })
}

function formatRequest(line: Record<string, unknown>): string {
  const { status, method, path, query, milliseconds, operation, code, message, reason } = line
  const address = query ? `${path}?${query}` : path
  const suffix = code ? `  ${code}: ${joinSentences(String(message ?? ''), String(reason ?? ''))}` : ''
  return `${status} ${method} ${address}  ${operation}  ${milliseconds} ms${suffix}`
}

/** Hands to the operating system what is still in memory. To be called last before the process ends. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()))
}
