import { expect, test } from 'vitest'
import { generateSteps } from './generate-steps.ts'
import { shrink } from './shrink.ts'

const numbers = Array.from({ length: 60 }, (_, index) => index)

test('a failing list is shortened to the steps that it needs', async () => {
  const fails = async (part: readonly number[]) => part.includes(7) && part.includes(41)
  expect(await shrink(numbers, fails, 1000)).toEqual([7, 41])
})

test('shortening ends after the permitted number of attempts', async () => {
  let attempts = 0
  const fails = async (part: readonly number[]) => {
    attempts++
    return part.includes(7)
  }
  expect(await shrink(numbers, fails, 5)).toContain(7)
  expect(attempts).toBe(5)
})

test('the same seed has the same steps, and another one has others', () => {
  expect(generateSteps(5, 60)).toEqual(generateSteps(5, 60))
  expect(generateSteps(6, 60)).not.toEqual(generateSteps(5, 60))
})
