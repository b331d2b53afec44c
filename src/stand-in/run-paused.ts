import type { Logger } from '../platform/logging/logger.ts'

/** Pauses, works and resumes, also if the work fails: the caller then needs its error, not one of resuming. */
export async function runPaused<Result>(
  pause: () => Promise<() => Promise<void>>,
  work: () => Promise<Result>,
  logger: Logger,
): Promise<Result> {
  const resume = await pause()
  let result: Result
  try {
    result = await work()
  } catch (error) {
    await resume().catch((err: unknown) => logger.error({ err }, 'the worker did not start'))
    throw error
  }
  await resume()
  return result
}
