import { expect } from 'vitest'
import { cpuMicrosecondsOf } from './cpu-time.ts'

/** Fails if some work on a hostile text takes longer for each character, the longer the text is. */
export function requireLinearTime(work: (text: string) => unknown, hostile: (length: number) => string): void {
  const [short, long] = [hostile(8 * 1024), hostile(128 * 1024)]
  const take = (text: string) => cpuMicrosecondsOf(() => work(text))
  take(short)
  const rounds = [0, 1, 2, 3, 4].map(() => [take(short), take(long)] as const)
  const shortest = Math.max(100, Math.min(...rounds.map(([microseconds]) => microseconds)))
  // Of 16 times the length. Reading the rest of the text at each place would take 256 times as long.
  expect(Math.min(...rounds.map(([, microseconds]) => microseconds))).toBeLessThan(64 * shortest)
}
