import type { Clock } from '../clock/port.ts'
import { UnavailableError } from '../errors/unavailable-error.ts'

const RETRY_MILLISECONDS = 1_000

/** Records what became of a job. Retries while the database is unavailable, so that an outage does not count as a crash. */
export async function retryWhileUnavailable(
  clock: Clock,
  signal: AbortSignal,
  record: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await record()
    } catch (error) {
      if (!(error instanceof UnavailableError) || signal.aborted) throw error
      await clock.sleep(RETRY_MILLISECONDS, signal)
    }
  }
}
