import { expect, test } from 'vitest'
import { totalMilliseconds } from './latency.ts'
import type { FaultRule } from './public.ts'

const latencyOf = (milliseconds: number) => ({ action: { kind: 'latency', milliseconds } }) as FaultRule

test('the latencies of several rules add up to a minute at most', () => {
  expect(totalMilliseconds([latencyOf(20_000), latencyOf(30_000)])).toBe(50_000)
  expect(totalMilliseconds([latencyOf(40_000), latencyOf(30_000)])).toBe(60_000)
})
