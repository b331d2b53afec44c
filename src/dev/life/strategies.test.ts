import { describe, expect, test } from 'vitest'
import { type Situation, strategies } from './strategies.ts'

const MONDAY = new Date('2026-06-01T12:00:00Z')
const SATURDAY = new Date('2026-06-06T00:00:00Z')
const SUNDAY = new Date('2026-06-07T23:59:59Z')

const situation = (overrides: Partial<Situation> = {}): Situation => ({
  lowestMinor: 1900,
  featuredMinor: 1950,
  baseMinor: 2000,
  turn: 0,
  now: MONDAY,
  ...overrides,
})
const alone = { lowestMinor: undefined, featuredMinor: undefined }

describe('a competitor who', () => {
  test('undercuts is a cent below the lowest offer, but not below the floor', () => {
    expect(strategies.undercut(situation())).toBe(1899)
    expect(strategies.undercut(situation({ lowestMinor: 1401 }))).toBe(1400)
    expect(strategies.undercut(situation({ lowestMinor: 900 }))).toBe(1400)
    expect(strategies.undercut(situation(alone))).toBe(2000)
  })

  test('matches has the price of the featured offer, but not below the floor', () => {
    expect(strategies.match(situation())).toBe(1950)
    expect(strategies.match(situation({ featuredMinor: undefined }))).toBe(1900)
    expect(strategies.match(situation({ featuredMinor: 900 }))).toBe(1400)
    expect(strategies.match(situation(alone))).toBe(2000)
  })

  test('asks a premium is above the featured offer', () => {
    expect(strategies.premium(situation())).toBe(2243)
    expect(strategies.premium(situation(alone))).toBe(2300)
  })

  test('sells on weekdays is out of stock on weekends', () => {
    expect(strategies.weekdays(situation())).toBe(2000)
    expect(strategies.weekdays(situation({ now: SATURDAY }))).toBeUndefined()
    expect(strategies.weekdays(situation({ now: SUNDAY }))).toBeUndefined()
  })

  test('flaps is below and above its first price by turns', () => {
    expect([0, 1, 2, 3].map((turn) => strategies.flapping(situation({ turn })))).toEqual([1840, 2160, 1840, 2160])
  })

  test.each(Object.entries(strategies))('prices by %s never gives a product away', (_name, strategy) => {
    const price = strategy(situation({ lowestMinor: 0, featuredMinor: 0, baseMinor: 1 }))
    expect(price).toBeGreaterThanOrEqual(1)
    expect(Number.isInteger(price)).toBe(true)
  })
})
