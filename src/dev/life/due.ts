import type { DueSource } from '../../platform/due.ts'
import { stepMilliseconds } from './options.ts'
import { findFirstPlans } from './plans.ts'
import { loadLife } from './state.ts'

/** What buyers and carriers have planned. It happens at the end of the step into which its time falls. */
export const lifeDue: DueSource = {
  async find(reader, after, limit) {
    const state = await loadLife(reader)
    if (!state?.isRunning) return []
    const start = new Date(state.startedAt).getTime()
    const length = stepMilliseconds(state.rules)
    const plans = await findFirstPlans(reader, limit)
    return plans
      .map(({ act, subject, sellerId, planId, dueAt }) => ({
        kind: 'lifePlan',
        time: new Date(start + Math.ceil((dueAt.getTime() - start) / length) * length),
        id: planId,
        description: `${act} ${subject} of the seller ${sellerId}`,
      }))
      .filter(({ time }) => time > after)
  },
}
