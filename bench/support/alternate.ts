import { median } from './median.ts'
import { logProgress } from './progress.ts'

export interface Rounds {
  /** Rounds that go before and do not count: they fill caches and wake compilers. */
  warmUps: number
  counted: number
}

const MAX_LINES = 10

/** Measures several things in turn, round after round, so that a machine which slows down slows all of them down. */
export async function measureRounds<Name extends string>(
  { warmUps, counted }: Rounds,
  unit: string,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>[]> {
  const names = Object.keys(measures) as Name[]
  const rounds: Record<Name, number>[] = []
  const logEvery = Math.ceil((warmUps + counted) / MAX_LINES)
  for (let round = 1; round <= warmUps + counted; round++) {
    const values = {} as Record<Name, number>
    for (const name of names) values[name] = await measures[name]()
    const label = round <= warmUps ? 'warm-up' : `round ${round - warmUps} of ${counted}`
    if (round % logEvery === 0)
      logProgress(`${label}: ${names.map((name) => `${name} ${values[name].toFixed(0)} ${unit}`).join(', ')}`)
    if (round > warmUps) rounds.push(values)
  }
  return rounds
}

/** The same, but returns the median of each. */
export async function alternate<Name extends string>(
  rounds: Rounds,
  unit: string,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const measured = await measureRounds(rounds, unit, measures)
  const names = Object.keys(measures) as Name[]
  const medians = names.map((name) => [name, median(measured.map((values) => values[name]))])
  return Object.fromEntries(medians) as Record<Name, number>
}
