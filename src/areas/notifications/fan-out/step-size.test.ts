import { expect, test } from 'vitest'
import { StepSize } from './step-size.ts'

const MAX_DELIVERIES_PER_STEP = 250
const working = (workMilliseconds: number) => ({ workMilliseconds, commitMilliseconds: 1 })

/** Runs steps at the given milliseconds per delivery. Returns the duration of the last step. */
function lastOf(steps: number, millisecondsEach: number, size = new StepSize('sqlite')): number {
  let last = 0
  for (let step = 0; step < steps; step++) {
    last = size.maxDeliveries * millisecondsEach
    size.recordStep(size.maxDeliveries, working(last))
  }
  return last
}

test('steps converge to about 15 ms, however slow the machine is', () => {
  for (const millisecondsEach of [0.1, 0.2, 0.5]) {
    expect(lastOf(50, millisecondsEach)).toBeGreaterThan(11)
    expect(lastOf(50, millisecondsEach)).toBeLessThan(19)
  }
})

test('steps grow to the maximum number of deliveries, and never shrink to zero', () => {
  const size = new StepSize('sqlite')
  lastOf(50, 0.001, size)
  expect(size.maxDeliveries).toBe(MAX_DELIVERIES_PER_STEP)
  lastOf(50, 1_000, size)
  expect(size.maxDeliveries).toBe(10)
})

test('a step with little to deliver does not make the next one longer', () => {
  const size = new StepSize('sqlite')
  const { maxDeliveries } = size
  for (let step = 0; step < 50; step++) size.recordStep(1, working(1))
  expect(size.maxDeliveries).toBe(maxDeliveries)
})

test('steps may take longer in PostgreSQL, where others wait only for the same rows', () => {
  const size = new StepSize('postgres')
  const { maxDeliveries } = size
  size.recordStep(maxDeliveries, working(60))
  expect(size.maxDeliveries).toBeGreaterThan(maxDeliveries)
})

test('a step takes as long as its commit on a slow disk, so that commits are at most half of the time', () => {
  const size = new StepSize('sqlite')
  for (let step = 0; step < 50; step++) {
    size.recordStep(size.maxDeliveries, { workMilliseconds: size.maxDeliveries * 0.5, commitMilliseconds: 40 })
  }
  expect(size.maxDeliveries * 0.5).toBeGreaterThan(30)
})
