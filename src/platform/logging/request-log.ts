import { type Logger, symbols } from 'pino'

const INFO = 30

/**
 * Writes a line for every request, in pino's own form and to pino's own destination, but made by one JSON.stringify:
 * for a line whose fields are known to be plain, pino's general way takes several times as long.
 */
export function createRequestLog(logger: Logger): (fields: Record<string, string | number | undefined>) => void {
  const { [symbols.streamSym]: output } = logger as unknown as Record<symbol, { write(line: string): void }>
  return (fields) => {
    if (logger.levelVal > INFO) return
    output?.write(`{"level":${INFO},"time":${Date.now()},${JSON.stringify(fields).slice(1, -1)},"msg":"request"}\n`)
  }
}
