import type { Logger } from '../logging/logger.ts'

export type DatabaseLogger = Pick<Logger, 'info' | 'warn' | 'error'>

/** What was committed stays committed and is acknowledged, whatever a listener makes of it. */
export function notifyCommitted(listeners: Iterable<() => void>, logger: DatabaseLogger | undefined): void {
  for (const listener of listeners) {
    try {
      listener()
    } catch (err) {
      logger?.error({ err }, 'commit listener failed; the transaction is committed')
    }
  }
}
