import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { expeditePostponed } from '../../platform/jobs/store.ts'
import type { FaultableOperation } from './actions.ts'
import { requirePossible } from './check-rule.ts'
import { HELD } from './job-faults.ts'
import type { FaultRule, FaultSettings } from './public.ts'
import type { FaultRules } from './rules.ts'

export interface FaultDependencies {
  rules: FaultRules
  database: Database
  clock: Clock
  listOperations(): readonly FaultableOperation[]
  wakeWorker(): void
}

export type FaultOperations = ReturnType<typeof createFaultOperations>

export function createFaultOperations({ rules, database, clock, listOperations, wakeWorker }: FaultDependencies) {
  /** Work that was stuck continues now, and does not wait until it looks again. */
  async function release(): Promise<void> {
    // Before, a worker in another thread could postpone them again by the rules that it knew.
    await rules.whenKnown()
    const released = await database.transact((tx) => expeditePostponed(tx, HELD, clock.now()))
    if (released > 0) wakeWorker()
  }

  return {
    list: () => rules.list(),
    find: (id: string) => rules.find(id),

    add(settings: FaultSettings): FaultRule {
      requirePossible(settings, listOperations(), clock.now())
      return rules.add(settings)
    },

    async setEnabled(id: string, enabled: boolean): Promise<FaultRule> {
      const rule = rules.setEnabled(id, enabled)
      if (!enabled) await release()
      return rule
    },

    async remove(id: string): Promise<void> {
      rules.remove(rules.find(id).id)
      await release()
    },

    release,

    async clear(): Promise<void> {
      rules.clear()
      await release()
    },
  }
}
