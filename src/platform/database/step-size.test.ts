import { expect, test } from 'vitest'
import { StepSize } from './step-size.ts'

const MAX_ROWS_PER_STEP = 250
const LIMITS = { min: 10, max: MAX_ROWS_PER_STEP }
const working = (workMilliseconds: number) => ({ workMilliseconds, commitMilliseconds: 1 })

/** Runs steps at the given milliseconds per row. Returns the duration of the last step. */
function lastOf(steps: number, millisecondsEach: number, size = new StepSize('sqlite', LIMITS)): number {
  let last = 0
  for (let step = 0; step < steps; step++) {
    last = size.maxRows * millisecondsEach
    size.recordStep(size.maxRows, working(last))
  }
  return last
}

test('steps converge to about 15 ms, however slow the machine is', () => {
  for (const millisecondsEach of [0.1, 0.2, 0.5]) {
    expect(lastOf(50, millisecondsEach)).toBeGreaterThan(11)
    expect(lastOf(50, millisecondsEach)).toBeLessThan(19)
  }
})

test('steps grow to the maximum number of rows, and never shrink to zero', () => {
  const size = new StepSize('sqlite', LIMITS)
  lastOf(50, 0.001, size)
  expect(size.maxRows).toBe(MAX_ROWS_PER_STEP)
  lastOf(50, 1_000, size)
  expect(size.maxRows).toBe(10)
})

test('a step with few rows does not make the next one longer', () => {
  const size = new StepSize('sqlite', LIMITS)
  const { maxRows } = size
  for (let step = 0; step < 50; step++) size.recordStep(1, working(1))
  expect(size.maxRows).toBe(maxRows)
})

test('steps may take longer in PostgreSQL, where others wait only for the same rows', () => {
  const size = new StepSize('postgres', LIMITS)
  const { maxRows } = size
  size.recordStep(maxRows, working(60))
  expect(size.maxRows).toBeGreaterThan(maxRows)
})

test('a step takes as long as its commit on a slow disk, so that commits are at most half of the time', () => {
  const size = new StepSize('sqlite', LIMITS)
  for (let step = 0; step < 50; step++) {
    size.recordStep(size.maxRows, { workMilliseconds: size.maxRows * 0.5, commitMilliseconds: 40 })
  }
  expect(size.maxRows * 0.5).toBeGreaterThan(30)
})
