import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { isFinished } from '../../http/is-finished.ts'
import { Random } from '../life/random.ts'
import type { FaultAction, FaultRule } from './public.ts'
import type { FaultRules } from './rules.ts'
import { MAX_LATENCY_MILLISECONDS } from './schema.ts'

/**
 * Waits as long as all rules together say. Ends early if the client leaves, if one of the rules is removed or disabled, or
 * if exclusive work waits for the request.
 */
export async function applyLatencies(latencies: readonly FaultRule[], rules: FaultRules, reply: FastifyReply) {
  if (latencies.length === 0 || isFinished(reply.raw)) return
  const left = new AbortController()
  const leave = () => left.abort()
  reply.raw.once('close', leave)
  const signal = AbortSignal.any([left.signal, ...latencies.map((rule) => rules.signalOf(rule))])
  await pause(totalMilliseconds(latencies), undefined, { signal }).catch(() => {})
  reply.raw.off('close', leave)
}

export function totalMilliseconds(latencies: readonly FaultRule[]): number {
  const total = latencies.reduce((sum, rule) => sum + millisecondsOf(rule), 0)
  return Math.min(total, MAX_LATENCY_MILLISECONDS)
}

function millisecondsOf({ action, seed = 1, hits }: FaultRule): number {
  const latency = action as Extract<FaultAction, { kind: 'latency' }>
  if ('milliseconds' in latency) return latency.milliseconds
  const { minMilliseconds, maxMilliseconds } = latency
  return Random.of(seed, 'latency', hits).integer(minMilliseconds, maxMilliseconds)
}
