import { describe, expect, test } from 'vitest'
import { scheduleDelivery, type Window } from './aggregation.ts'

const PERIOD = 300
const at = (moment: number) => new Date(moment)

/** What is told when of changes at these moments: each by its own moment, at the time it is told. */
function toldOf(moments: readonly number[]): [change: number, dueAt: number][] {
  let window: Window | undefined
  const told = new Map<string, number>()
  for (const moment of moments) {
    const placed = scheduleDelivery(window, String(moment), at(moment), PERIOD)
    if (placed.replaces !== undefined) told.delete(placed.replaces)
    told.set(String(moment), placed.dueAt.getTime())
    window = placed.window
  }
  return [...told].map(([change, dueAt]) => [Number(change), dueAt])
}

describe('of many changes in short succession', () => {
  test('the first is told at once, and the last at the end of the period', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => 1000 + index * 5)
    expect(toldOf(fifty)).toEqual([
      [1000, 1000],
      [1245, 1300],
    ])
  })

  test('one alone is told at once, and so is one that comes when the period is over', () => {
    expect(toldOf([1000, 1300, 2000])).toEqual([
      [1000, 1000],
      [1300, 1300],
      [2000, 2000],
    ])
  })

  test('no more than one is told in each period, however long it goes on', () => {
    const many = Array.from({ length: 100 }, (_, index) => 1000 + index * 10)
    const times = toldOf(many).map(([, dueAt]) => dueAt)
    expect(times).toEqual([1000, 1300, 1600, 1900, 2200])
  })

  test('what is held begins the next period, also when nothing else happens', () => {
    // Told at 1300; one at 1400 waits for the end of the period that began then.
    expect(toldOf([1000, 1100, 1400])).toEqual([
      [1000, 1000],
      [1100, 1300],
      [1400, 1600],
    ])
    expect(toldOf([1000, 1100, 1600])).toEqual([
      [1000, 1000],
      [1100, 1300],
      [1600, 1600],
    ])
  })
})
