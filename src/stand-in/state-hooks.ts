import type { ReadingSwitches } from '../dev/readings/reading-switches.ts'
import type { StandInFaults } from './faults.ts'
import type { StateDependencies } from './state.ts'

export interface StateHookDependencies {
  faults: StandInFaults
  readings: ReadingSwitches
  requestLog: { clearFinished(): void }
}

/** What changes with the state and is not in the database. */
export const createStateHooks = ({
  faults,
  readings,
  requestLog,
}: StateHookDependencies): Pick<StateDependencies, 'beforeReset' | 'onReset' | 'onRestore'> => ({
  beforeReset: () => faults.rules.clear(),
  onReset() {
    readings.reset()
    // A request that was running may have added one.
    faults.rules.clear()
    requestLog.clearFinished()
  },
  onRestore() {
    requestLog.clearFinished()
    return faults.release()
  },
})
