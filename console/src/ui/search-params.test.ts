import { expect, test } from 'vitest'
import { dayValue } from './search-params.ts'

test('a day in an address that does not exist is ignored', () => {
  expect(['2026-02-28', '2024-02-29'].map(dayValue)).toEqual(['2026-02-28', '2024-02-29'])
  expect(['2026-02-30', '2026-13-01', '2026-00-10', '0', 5, undefined].map(dayValue)).toEqual(Array(6).fill(undefined))
})
