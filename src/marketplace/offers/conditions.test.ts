import { expect, test } from 'vitest'
import { CONDITION_TYPES, splitCondition } from './conditions.ts'

test('every condition of an offer has one as pricing has it, with a sub-condition of its own', () => {
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

test("a condition of an operator's own is never taken for new", () => {
  expect(splitCondition('used_scratched')).toEqual({ condition: 'Used', subCondition: 'Other' })
  expect(splitCondition('antique')).toEqual({ condition: 'Used', subCondition: 'Other' })
})
