import { describe, expect, test } from 'vitest'
import { type Closing, dailyClosings, dayOf, medianClosing, recordClosing } from './price-history.ts'

const TODAY = 20_000

test('a day is a day in UTC', () => {
  expect(dayOf(new Date('2026-06-01T23:59:59.999Z')) + 1).toBe(dayOf(new Date('2026-06-02T00:00:00.000Z')))
})

describe('a price history', () => {
  test('keeps the last price of each day, and only where it changed', () => {
    let history: Closing[] = []
    history = recordClosing(history, TODAY, 100)
    history = recordClosing(history, TODAY, 120)
    history = recordClosing(history, TODAY + 1, 120)
    history = recordClosing(history, TODAY + 5, null)
    history = recordClosing(history, TODAY + 6, 90)
    expect(history).toEqual([
      [TODAY, 120],
      [TODAY + 5, null],
      [TODAY + 6, 90],
    ])
  })

  test('drops a price that changed back on the same day', () => {
    const history: Closing[] = [[TODAY - 3, 100]]
    expect(recordClosing(recordClosing(history, TODAY, 55), TODAY, 100)).toEqual(history)
  })

  test('has 91 entries at most', () => {
    let history: Closing[] = []
    for (let change = 0; change < 3000; change++)
      history = recordClosing(history, TODAY + Math.floor(change / 3), change)
    expect(history).toHaveLength(91)
  })

  test('keeps the price in effect when the 90 days began', () => {
    const history = recordClosing(
      [
        [TODAY - 500, 70],
        [TODAY - 400, 80],
        [TODAY - 10, 90],
      ],
      TODAY,
      100,
    )
    expect(history).toEqual([
      [TODAY - 400, 80],
      [TODAY - 10, 90],
      [TODAY, 100],
    ])
  })
})

describe('the median of the closing prices', () => {
  test('is not known without a day before today', () => {
    expect(medianClosing([], TODAY)).toBeUndefined()
    expect(medianClosing([[TODAY, 100]], TODAY)).toBeUndefined()
  })

  test('counts every day of the last 90 at its closing price', () => {
    const history: Closing[] = [
      [TODAY - 200, 100],
      [TODAY - 45, 300],
    ]
    // 45 days each: of an even number the lower of the two in the middle.
    expect(medianClosing(history, TODAY)).toBe(100)
    expect(medianClosing(history, TODAY + 1)).toBe(300)
    expect(medianClosing([...history, [TODAY, 1]], TODAY)).toBe(100)
  })

  test('ignores days without a featured offer', () => {
    const history: Closing[] = [
      [TODAY - 90, 500],
      [TODAY - 89, null],
      [TODAY - 2, 200],
      [TODAY - 1, 300],
    ]
    expect(medianClosing(history, TODAY)).toBe(300)
    expect(medianClosing([[TODAY - 90, null]], TODAY)).toBeUndefined()
  })
})

describe('the daily prices', () => {
  test('begin with the first that is known, and repeat the last until it changes', () => {
    const history: Closing[] = [
      [TODAY - 3, 100],
      [TODAY - 1, null],
      [TODAY, 90],
    ]
    expect(dailyClosings(history, TODAY)).toEqual([
      [TODAY - 3, 100],
      [TODAY - 2, 100],
      [TODAY - 1, null],
      [TODAY, 90],
    ])
    expect(dailyClosings([], TODAY)).toEqual([])
  })

  test('are those of 90 days and of today, also if the price is older', () => {
    const closings = dailyClosings(
      [
        [TODAY - 500, 100],
        [TODAY - 200, 80],
      ],
      TODAY,
    )
    expect(closings).toHaveLength(91)
    expect(closings[0]).toEqual([TODAY - 90, 80])
    expect(closings.at(-1)).toEqual([TODAY, 80])
  })
})
