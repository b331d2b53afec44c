import { expect, test, vi } from 'vitest'
import { ManualClock } from '../../platform/clock/manual-clock.ts'
import type { Database } from '../../platform/database/port.ts'
import { createFaultOperations } from './operations.ts'
import { FaultRules, MAX_RULES } from './rules.ts'

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

test('work that is over is no longer postponed, also for another thread', () => {
  const rules = new FaultRules(clock)
  const rule = rules.add({ action: { kind: 'stuck' }, count: 1 })
  rules.decide('job', { operation: 'processFeed', subjects: {} })
  rules.hold('job', rule)
  expect(rules.isEffective(rule)).toBe(true)
  const released: string[] = []
  rules.onLetGo((key) => released.push(key))
  rules.letGo('job')
  rules.letGo('job')
  expect({ released, isEffective: rules.isEffective(rule) }).toEqual({ released: ['job'], isEffective: false })
})

test('rules that can never hit again make room for new ones, but not one that keeps work stuck', () => {
  const now = new ManualClock(new Date('2026-06-01T12:00:00Z'))
  const rules = new FaultRules(now)
  const holding = rules.add({ action: { kind: 'stuck' }, count: 1 })
  const counted = rules.add({ action: { kind: 'lose' }, count: 1 })
  const timed = rules.add({ action: { kind: 'lose' }, forSeconds: 60 })
  for (let count = 3; count < MAX_RULES; count++) rules.add({ action: { kind: 'lose' } })
  rules.decide('job', { operation: 'processFeed', subjects: {} })
  rules.hold('job', holding)
  expect(() => rules.add({ action: { kind: 'fatal' } })).toThrow(/1000 fault rules/)
  rules.decide('message', { operation: 'sendNotification', subjects: {} })
  rules.add({ action: { kind: 'fatal' } })
  expect(() => rules.find(counted.id)).toThrow()
  expect(() => rules.add({ action: { kind: 'fatal' } })).toThrow(/1000 fault rules/)
  now.advance(60_000)
  rules.add({ action: { kind: 'fatal' } })
  expect(() => rules.find(timed.id)).toThrow()
  expect(rules.find(holding.id)).toMatchObject({ hits: 1 })
  rules.remove(holding.id)
  expect(rules.list()).toHaveLength(MAX_RULES - 1)
})
