import { expect, test } from 'vitest'
import { fixedListValues, toFixedLists } from './fixed-size-list.ts'

const texts = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`)

test.each([1, 24, 25, 26, 60])('%i values are all present, and every slot is filled', (count) => {
  const filled = [...toFixedLists(texts(count))].map(fixedListValues)
  expect([...new Set(filled.flat())]).toEqual(texts(count))
  expect(new Set(filled.map((slots) => slots.length)).size).toBe(1)
  expect(filled.flat()).not.toContain(undefined)
})

test('no values fill no slots', () => {
  expect([...toFixedLists([])]).toEqual([])
})
