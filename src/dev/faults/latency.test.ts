import { expect, test } from 'vitest'
import { totalMilliseconds } from './latency.ts'
import type { FaultRule } from './public.ts'

const latencyOf = (milliseconds: number) => ({ action: { kind: 'latency', milliseconds } }) as FaultRule

test('a rule with the same seed has the same latencies, also after others', () => {
  const ruleOf = (id: string) => {
    const action = { kind: 'latency', minMilliseconds: 0, maxMilliseconds: 1_000_000 }
    return [1, 2, 3].map((hits) => totalMilliseconds([{ id, action, seed: 7, hits } as unknown as FaultRule]))
  }
  expect(ruleOf('2')).toEqual(ruleOf('1'))
})

test('the latencies of several rules add up to a minute at most', () => {
  expect(totalMilliseconds([latencyOf(20_000), latencyOf(30_000)])).toBe(50_000)
  expect(totalMilliseconds([latencyOf(40_000), latencyOf(30_000)])).toBe(60_000)
})
