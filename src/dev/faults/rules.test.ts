import { expect, test, vi } from 'vitest'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import type { Database } from '../../platform/database/port.ts'
import { createFaultOperations } from './operations.ts'
import { FaultRules } from './rules.ts'

const clock = new ManualClock(new Date('2026-06-01T12:00:00Z'))

test('stuck work is released only when a worker in another thread knows that its rule is gone', async () => {
  const rules = new FaultRules(clock)
  const { id } = rules.add({ action: { kind: 'stuck' } })
  const known = Promise.withResolvers<void>()
  rules.onChange(() => known.promise)
  const transact = vi.fn(async () => 0)
  const operations = createFaultOperations({
    rules,
    database: { transact } as unknown as Database,
    clock,
    listOperations: () => [],
    wakeWorker: () => {},
  })
  const removed = operations.remove(id)
  await Promise.resolve()
  expect(transact).not.toHaveBeenCalled()
  known.resolve()
  await removed
  expect(transact).toHaveBeenCalledOnce()
})

test('what a rule has postponed is forgotten with the rule, also if another thread reports it afterward', () => {
  const rules = new FaultRules(clock)
  const removed = rules.add({ action: { kind: 'stuck' } })
  const kept = rules.add({ action: { kind: 'delay', seconds: 1 } })
  rules.hold('job', removed)
  rules.hold('message', kept)
  rules.remove(removed.id)
  rules.loadHeld(['late job', removed.id])
  expect(rules.held).toEqual([['message', kept.id]])
})
