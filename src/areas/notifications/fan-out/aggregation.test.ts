import { describe, expect, test } from 'vitest'
import { scheduleDelivery, type Window } from './aggregation.ts'

const PERIOD = 300
const at = (time: number) => new Date(time)

/** Returns the deliveries for changes at these times: the time of the change, and when it is delivered. */
function deliveriesOf(changeTimes: readonly number[]): [change: number, dueAt: number][] {
  let window: Window | undefined
  const deliveries = new Map<string, number>()
  for (const time of changeTimes) {
    const scheduled = scheduleDelivery(window, String(time), at(time), PERIOD)
    if (scheduled.replaces !== undefined) deliveries.delete(scheduled.replaces)
    deliveries.set(String(time), scheduled.dueAt.getTime())
    window = scheduled.window
  }
  return [...deliveries].map(([change, dueAt]) => [Number(change), dueAt])
}

describe('many changes in short succession', () => {
  test('deliver the first immediately, and the last at the end of the period', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => 1000 + index * 5)
    expect(deliveriesOf(fifty)).toEqual([
      [1000, 1000],
      [1245, 1300],
    ])
  })

  test('deliver a change immediately if the period of the one before is over', () => {
    expect(deliveriesOf([1000, 1300, 2000])).toEqual([
      [1000, 1000],
      [1300, 1300],
      [2000, 2000],
    ])
  })

  test('deliver at most one change per period, however long they continue', () => {
    const many = Array.from({ length: 100 }, (_, index) => 1000 + index * 10)
    const times = deliveriesOf(many).map(([, dueAt]) => dueAt)
    expect(times).toEqual([1000, 1300, 1600, 1900, 2200])
  })

  test('start the next period when a deferred change is delivered', () => {
    // Delivered at 1300; the change at 1400 waits for the end of the period that began then.
    expect(deliveriesOf([1000, 1100, 1400])).toEqual([
      [1000, 1000],
      [1100, 1300],
      [1400, 1600],
    ])
    expect(deliveriesOf([1000, 1100, 1600])).toEqual([
      [1000, 1000],
      [1100, 1300],
      [1600, 1600],
    ])
  })
})
