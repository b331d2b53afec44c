import { expect, test } from 'vitest'
import { toForm, toSettings } from './fault-form-state.ts'

test('a rule goes through the form without a change', () => {
  const rule = {
    name: 'mine',
    match: { operations: ['getOrders', 'getOrder'], sellerId: 'S1', orderId: '1-2-3' },
    action: { kind: 'status', status: 500, when: 'after' },
    count: 2,
    percentage: 50,
  }
  expect(toSettings(toForm(rule))).toEqual(rule)
})

test('an empty form makes a rule without a match', () => {
  expect(toSettings(toForm({}))).toEqual({ action: { kind: 'status', status: 503 } })
})

test('what an address has in place of a rule fills the form as far as it makes sense', () => {
  const rule = { match: 'all', action: { kind: 'constructor', status: {} }, count: '3', name: 7 }
  expect(toSettings(toForm(rule))).toEqual({ action: { kind: 'status', status: 503 } })
  expect(
    toSettings(toForm({ match: { queueArn: 'a', sellerId: 'S1' }, action: { kind: 'fatal', status: 1 } })),
  ).toEqual({
    match: { sellerId: 'S1' },
    action: { kind: 'fatal' },
  })
})
