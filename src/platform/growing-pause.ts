import { hash } from 'node:crypto'

const MAX_MILLISECONDS = 5 * 60 * 1000

/**
 * How long to wait after a failure, counted from 1: a second, doubled with each further one up to five minutes, and then
 * between half and all of that. The same seed gives the same pause. Those who failed together have different ones, so
 * that they do not come back together.
 */
export function exponentialBackoff(failures: number, seed: string): number {
  const full = Math.min(1000 * 2 ** (failures - 1), MAX_MILLISECONDS)
  const fraction = Number.parseInt(hash('sha256', seed, 'hex').slice(0, 8), 16) / 2 ** 32
  return Math.round(full * (0.5 + fraction / 2))
}
