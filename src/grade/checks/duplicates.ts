import type { Check } from '../check.ts'
import { type Call, isWrite, type Pass, succeeded } from '../pass.ts'

/** Incidents that deliver notifications more than once or in another order. */
const INCIDENTS = ['duplicate-notifications', 'reordered-notifications']

export const duplicatesAreHandled: Check = {
  name: 'duplicates',
  title: 'A notification that arrives twice has its effect once',
  judge(passes) {
    const calm = passes.find(({ name }) => name === 'calm')
    const disturbed = passes.filter(({ name, hits }) => INCIDENTS.includes(name) && hits !== 0)
    const before = countWrites(calm)
    return {
      of: 'changes while notifications arrived twice',
      cases: disturbed.flatMap(({ calls }) => calls.filter(isChange)).length,
      violations: disturbed.flatMap((pass) =>
        [...countWrites(pass)]
          .filter(([key, { count }]) => count > Math.max(1, before.get(key)?.count ?? 0))
          .map(([, { count, last }]) => ({
            pass: pass.name,
            requestId: last.id,
            message: `The same ${last.operation} was sent ${count} times.`,
          })),
      ),
    }
  },
}

const isChange = (call: Call) => isWrite(call) && succeeded(call)

function countWrites(pass: Pass | undefined): Map<string, { count: number; last: Call }> {
  const counts = new Map<string, { count: number; last: Call }>()
  for (const call of pass?.calls.filter(isChange) ?? []) {
    const key = JSON.stringify([call.caller, call.method, call.path, [...call.query], call.content])
    counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, last: call })
  }
  return counts
}
