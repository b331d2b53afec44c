import { describe, expect, test } from 'vitest'
import { UnavailableError } from '../errors/unavailable-error.ts'
import { CrashedTooOftenError, decideRetry, hasCrashedTooOften, type JobHistory, NO_FAILURES } from './retry-policy.ts'

const BEGAN = new Date('2026-06-01T12:00:00.000Z')
const HOUR = 3_600_000
const bug = new Error('bug')
const outage = new UnavailableError('down')

const decide = (history: JobHistory, error: Error, milliseconds = 0) =>
  decideRetry(history, error, {
    now: new Date(BEGAN.getTime() + milliseconds),
    outageLimitMilliseconds: HOUR,
    seed: 'job-1',
  })

describe('a job that fails', () => {
  test('is retried after 1, 2, 4, 8 and 16 seconds, and given up at its sixth failure', () => {
    let history = NO_FAILURES
    for (const [index, backoffMilliseconds] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
      const decision = decide(history, bug)
      expect(decision).toMatchObject({ giveUp: undefined, backoffMilliseconds, history: { failures: index + 1 } })
      history = decision.history
    }
    expect(decide(history, bug)).toMatchObject({ giveUp: 'FAILURES', history: { failures: 6 } })
  })

  test('after an outage keeps its failures and crashes, and a later outage has the whole limit again', () => {
    const waited = { failures: 2, crashes: 3, outageRetries: 7, outageBeganAt: BEGAN }
    const { history } = decide(waited, bug, HOUR - 1)
    expect(history).toEqual({ failures: 3, crashes: 3, outageRetries: 0, outageBeganAt: undefined })
    expect(decide(history, outage, 2 * HOUR)).toMatchObject({
      giveUp: undefined,
      history: { outageRetries: 1, outageBeganAt: new Date(BEGAN.getTime() + 2 * HOUR) },
    })
  })
})

describe('a job whose dependency is unavailable', () => {
  test('waits longer each time, and is given up only when the outage reaches its limit', () => {
    const first = decide(NO_FAILURES, outage)
    expect(first.history).toEqual({ ...NO_FAILURES, outageRetries: 1, outageBeganAt: BEGAN })
    const last = decide(first.history, outage, HOUR - 1)
    expect(last).toMatchObject({ giveUp: undefined, history: { outageRetries: 2, outageBeganAt: BEGAN } })
    const wait = (decision: typeof first) => (decision.giveUp ? 0 : decision.backoffMilliseconds)
    expect(wait(last)).toBeGreaterThan(wait(first))
    expect(decide(last.history, outage, HOUR)).toMatchObject({ giveUp: 'OUTAGE', history: { outageRetries: 3 } })
  })
})

describe('a job that crashes its workers', () => {
  test('is given up at its twentieth crash, with what is known about it', () => {
    const history = { ...NO_FAILURES, crashes: 20 }
    expect(hasCrashedTooOften({ ...history, crashes: 19 })).toBe(false)
    expect(hasCrashedTooOften(history)).toBe(true)
    const error = new CrashedTooOftenError(20)
    expect(error).toMatchObject({ name: 'CrashedTooOftenError', message: 'Its worker crashed 20 times' })
    expect(decide(history, error)).toEqual({ giveUp: 'CRASHES', history })
  })
})
