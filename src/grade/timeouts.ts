import { isEndless } from './concerned.ts'

const DEFAULT_SECONDS = 600
const MIN_ENDLESS_SECONDS = 60
/** A command that gives up may take longer than one that gets what it wants. */
const CALM_RUNS = 2

/**
 * How long a run may take if the user does not say so. Where a command can only give up, one that does not would wait for
 * nothing until the end.
 */
export function defaultTimeout(incident: string | undefined, calmSeconds: number): number {
  if (!isEndless(incident)) return DEFAULT_SECONDS
  return Math.min(DEFAULT_SECONDS, Math.max(MIN_ENDLESS_SECONDS, Math.ceil(calmSeconds * CALM_RUNS)))
}
