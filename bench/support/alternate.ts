import { median } from './median.ts'
import { say } from './progress.ts'

/**
 * Measures several things in turn, round after round, so that a machine which slows down slows all of them down, and
 * answers the median of each. A first round warms up caches and compilers and does not count.
 */
export async function alternate<Name extends string>(
  rounds: number,
  unit: string,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[]
  const measured = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round <= rounds; round++) {
    const line: string[] = []
    for (const name of names) {
      const value = await measures[name]()
      if (round > 0) measured.get(name)?.push(value)
      line.push(`${name} ${value.toFixed(0)} ${unit}`)
    }
    say(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${line.join(', ')}`)
  }
  return Object.fromEntries(names.map((name) => [name, median(measured.get(name) ?? [])])) as Record<Name, number>
}
