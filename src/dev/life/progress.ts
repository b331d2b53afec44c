import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Progress } from '../progress/public.ts'
import { stepMilliseconds } from './options.ts'
import { loadLife } from './state.ts'
import { nextStepAt } from './step.ts'

/** Watches life catch up with the clock. Counts the steps from the first time that it is behind. */
export function watchLife({ database, clock }: { database: Database; clock: Clock }): () => Promise<Progress[]> {
  let before = Number.POSITIVE_INFINITY
  return async () => {
    const state = await database.read(loadLife)
    const late = state?.isRunning ? clock.now().getTime() - nextStepAt(state).getTime() : -1
    if (!state || late < 0) {
      before = Number.POSITIVE_INFINITY
      return []
    }
    before = Math.min(before, state.steps)
    const until = nextStepAt({ ...state, steps: state.steps - 1 })
    const left = Math.floor(late / stepMilliseconds(state.rules)) + 1
    const done = state.steps - before
    return [{ task: 'life', done, total: done + left, message: `Life has reached ${until.toISOString()}` }]
  }
}
