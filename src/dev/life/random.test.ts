import { describe, expect, test } from 'vitest'
import { Random } from './random.ts'

const draw = (random: Random, count: number) => Array.from({ length: count }, () => random.fraction())

describe('random numbers', () => {
  test('are the same for the same seed on every machine, and differ for another', () => {
    expect(draw(Random.of(1, 'buyers', 7), 3)).toEqual(draw(Random.of(1, 'buyers', 7), 3))
    expect(draw(Random.of(1, 'buyers', 7), 3)).not.toEqual(draw(Random.of(2, 'buyers', 7), 3))
    expect(Random.of(1, 'buyers', 7).integer(0, 1_000_000)).toMatchInlineSnapshot(`798913`)
  })

  test('are spread evenly, also over neighboring seeds', () => {
    const buckets = Array.from({ length: 10 }, () => 0)
    for (let seed = 0; seed < 10_000; seed++) {
      const bucket = Random.of(seed).integer(0, 9)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    for (const count of buckets) expect(count).toBeGreaterThan(850)
    expect(buckets.reduce((sum, count) => sum + count)).toBe(10_000)
  })

  test('pick by weight, and nothing where nothing has a weight', () => {
    const random = Random.of('weights')
    const picked = Array.from({ length: 1000 }, () => random.pickWeighted(['never', 'rarely', 'often'], weightOf))
    expect(picked).not.toContain('never')
    expect(picked.filter((item) => item === 'often').length).toBeGreaterThan(600)
    expect(random.pickWeighted(['never'], weightOf)).toBeUndefined()
  })
})

const weightOf = (item: string) => ({ never: 0, rarely: 1, often: 3 })[item] ?? 0
