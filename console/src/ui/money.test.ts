import { expect, test } from 'vitest'
import { decimalPlacesOf } from './money.ts'

test('prices have as many decimal places as their currency', () => {
  expect(['EUR', 'JPY', 'not a currency'].map(decimalPlacesOf)).toEqual([2, 0, 2])
})
