import { expect, test } from 'vitest'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/port.ts'
import { withJobFaults } from './job-faults.ts'
import { FaultRules } from './rules.ts'

test('a rule holds a stuck feed no longer once the seller has canceled it', async () => {
  const clock = new ManualClock(new Date('2026-06-01T12:00:00Z'))
  const rules = new FaultRules(clock)
  const rule = rules.add({ action: { kind: 'stuck', state: 'IN_QUEUE' }, count: 1 })
  let isCanceled = false
  let runs = 0
  const processFeed = { isObsolete: async () => isCanceled, run: async () => void runs++ } as Partial<
    JobHandler<object>
  >
  const handlers = withJobFaults({ processFeed: processFeed as JobHandler<object> }, rules, clock)
  const run = () => handlers.processFeed?.run({ sellerId: 'A', feedId: '1' }, {} as JobContext)
  await expect(run()).rejects.toThrow('held by a fault rule')
  await expect(run()).rejects.toThrow('held by a fault rule')
  expect({ runs, isEffective: rules.isEffective(rule) }).toEqual({ runs: 0, isEffective: true })
  isCanceled = true
  await run()
  expect({ runs, isEffective: rules.isEffective(rule), held: rules.held }).toEqual({
    runs: 1,
    isEffective: false,
    held: [],
  })
})
