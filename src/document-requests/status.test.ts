import { describe, expect, test } from 'vitest'
import { canFollow, oldestRetained, PROCESSING_STATUSES, toWireTime } from './status.ts'

describe('the status of a report or a feed', () => {
  test('changes from queued to a final status, and never after that', () => {
    const moves = PROCESSING_STATUSES.flatMap((before) =>
      PROCESSING_STATUSES.filter((after) => canFollow(before, after)).map((after) => `${before} to ${after}`),
    )
    expect(moves).toEqual([
      'IN_QUEUE to IN_PROGRESS',
      'IN_QUEUE to CANCELLED',
      'IN_PROGRESS to DONE',
      'IN_PROGRESS to CANCELLED',
      'IN_PROGRESS to FATAL',
    ])
  })
})

test('reports and feeds are kept for ninety days', () => {
  expect(oldestRetained(new Date('2026-06-01T12:00:00.000Z')).toISOString()).toBe('2026-03-03T12:00:00.000Z')
})

test('times have seconds and the offset', () => {
  expect(toWireTime(new Date('2026-06-01T12:00:00.999Z'))).toBe('2026-06-01T12:00:00+00:00')
})
