import { expect, test } from 'vitest'
import { currentSelection, parseSelection, select } from './selection.ts'

test('a stored selection is used as far as it is one', () => {
  expect(parseSelection('{"sellerId":"S1","marketplaceId":"M1"}')).toEqual({ sellerId: 'S1', marketplaceId: 'M1' })
  expect(parseSelection('{"sellerId":7,"marketplaceId":"M1"}')).toEqual({ marketplaceId: 'M1' })
  for (const text of ['null', '"S1"', '[]', '1']) expect(parseSelection(text)).toEqual({})
})

test('selecting what is selected already changes nothing', () => {
  select({ sellerId: 'S1', marketplaceId: 'M1' })
  const before = currentSelection()
  select({ sellerId: 'S1', marketplaceId: 'M1' })
  expect(currentSelection()).toBe(before)
  select({ marketplaceId: 'M2' })
  expect(currentSelection()).toEqual({ sellerId: 'S1', marketplaceId: 'M2' })
})
