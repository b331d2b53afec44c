import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import { lifeJobOf } from './jobs.ts'
import { type LifeOptions, toRules } from './options.ts'
import { findUnusedIds } from './order-ids.ts'
import { clearPlans } from './plans.ts'
import { type LifeState, loadLife, NO_COUNTS, storeLife } from './state.ts'
import type { LifeStatus } from './status.ts'
import { nextStepAt } from './step.ts'

export interface LifeDependencies {
  database: Database
  clock: Clock
  jobs: JobQueue
}

export type LifeOperations = ReturnType<typeof createLifeOperations>

export function createLifeOperations({ database, clock, jobs }: LifeDependencies) {
  return {
    async getLife(): Promise<LifeStatus> {
      return renderStatus(await database.read(loadLife))
    },

    async startLife(options: LifeOptions): Promise<LifeStatus> {
      const rules = toRules(options)
      if (rules.deliveryDays.min > rules.deliveryDays.max) {
        throw invalidParameter('deliveryDays.min', 'must not be more than deliveryDays.max')
      }
      return database.transact(async (tx) => {
        const before = await loadLife(tx)
        if (before?.isRunning)
          throw new ApiError('Conflict', 'Life is running.', 'Stop it before you start another one.')
        const state: LifeState = {
          ...(await findUnusedIds(tx, before?.run ?? 0)),
          isRunning: true,
          startedAt: clock.now().toISOString(),
          rules,
          steps: 0,
          counts: NO_COUNTS,
        }
        await clearPlans(tx)
        await storeLife(tx, state)
        await jobs.enqueue(tx, lifeJobOf(state, nextStepAt(state)))
        return renderStatus(state)
      })
    },

    /** What was planned for orders does not happen any more. */
    async stopLife(): Promise<LifeStatus> {
      return database.transact(async (tx) => {
        const before = await loadLife(tx)
        if (!before?.isRunning) return renderStatus(before)
        const state = { ...before, isRunning: false }
        await clearPlans(tx)
        await storeLife(tx, state)
        return renderStatus(state)
      })
    },
  }
}

function renderStatus(state: LifeState | undefined): LifeStatus {
  if (!state) return { isRunning: false, counts: NO_COUNTS }
  const { isRunning, startedAt, steps, rules, counts } = state
  const until = nextStepAt({ ...state, steps: steps - 1 }).toISOString()
  return { isRunning, startedAt, until, options: rules, counts }
}
