import { expect, test } from 'vitest'
import { MAX_DELIVERIES_PER_STEP } from './step.ts'
import { StepSize } from './step-size.ts'

/** Steps on a machine that needs so many milliseconds for each delivery. Answers how long the last one took. */
function lastOf(steps: number, millisecondsEach: number, size = new StepSize('sqlite')): number {
  let last = 0
  for (let step = 0; step < steps; step++) {
    const { most } = size
    last = most * millisecondsEach
    size.recordStep(most, last)
  }
  return last
}

test('steps come to take about 10 ms, however slow the machine is', () => {
  for (const millisecondsEach of [0.05, 0.1, 0.2, 0.5]) {
    expect(lastOf(50, millisecondsEach)).toBeGreaterThan(7)
    expect(lastOf(50, millisecondsEach)).toBeLessThan(13)
  }
})

test('steps grow to the most that one may deliver, and never shrink to nothing', () => {
  const size = new StepSize('sqlite')
  lastOf(50, 0.001, size)
  expect(size.most).toBe(MAX_DELIVERIES_PER_STEP)
  lastOf(50, 1_000, size)
  expect(size.most).toBe(10)
})

test('a step with little to deliver does not make the next one longer', () => {
  const size = new StepSize('sqlite')
  const { most } = size
  for (let step = 0; step < 50; step++) size.recordStep(1, 1)
  expect(size.most).toBe(most)
})

test('steps may take longer in PostgreSQL, where others wait only for the same rows', () => {
  const size = new StepSize('postgres')
  const { most } = size
  size.recordStep(most, 60)
  expect(size.most).toBeGreaterThan(most)
})
