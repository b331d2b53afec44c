import { expect, test } from 'vitest'
import { CONDITION_TYPES, splitCondition } from './conditions.ts'

test('every condition type maps to a condition and a distinct sub-condition', () => {
  const split = CONDITION_TYPES.map(splitCondition)
  expect(split.map(({ condition, subCondition }) => `${condition} ${subCondition}`)).toEqual([
    'New New',
    'New OpenBox',
    'New OEM',
    'Refurbished Refurbished',
    'Used Mint',
    'Used VeryGood',
    'Used Good',
    'Used Acceptable',
    'Collectible Mint',
    'Collectible VeryGood',
    'Collectible Good',
    'Collectible Acceptable',
    'Club Club',
  ])
})

test("an operator's own condition never maps to New", () => {
  expect(splitCondition('used_scratched')).toEqual({ condition: 'Used', subCondition: 'Other' })
  expect(splitCondition('antique')).toEqual({ condition: 'Used', subCondition: 'Other' })
})
