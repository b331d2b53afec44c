import type { StandInState } from '../composition/service.ts'
import {
  createFaultDue,
  createFaultOperations,
  createFaultRoutes,
  createIncidentOperations,
  createIncidentRoutes,
  createRequestFaults,
  FaultRules,
} from '../dev/faults/index.ts'
import type { Routes } from '../http/route.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { DueSource } from '../platform/due.ts'
import type { Ids } from '../platform/ids/port.ts'

export interface StandInFaultDependencies {
  database: Database
  clock: Clock
  ids: Ids
  serviceState(): StandInState
  wakeWorker(): void
}

export interface StandInFaults {
  rules: FaultRules
  /** Before those of other hooks that wrap handlers. */
  hooks: Routes
  routes: Routes
  /** What happens later because of rules. */
  due: DueSource
  /** Lets work continue that a rule holds which is gone: of an earlier process, of the parent of a fork, or of a snapshot. */
  release(): Promise<void>
}

/** The faults of one stand-in. Rules are no part of its state: a reset removes them, a restore keeps them. */
export function createStandInFaults({ ids, serviceState, ...dependencies }: StandInFaultDependencies): StandInFaults {
  const rules = new FaultRules(dependencies.clock)
  const { hooks, listOperations } = createRequestFaults({
    rules,
    expireToken: (token) => serviceState().expireToken(token),
    newSubmissionId: () => ids.next('submission'),
  })
  const operations = createFaultOperations({ ...dependencies, rules, listOperations })
  const incidents = createIncidentOperations({ rules, listOperations, clock: dependencies.clock }, operations)
  const routes: Routes = (app) => {
    createFaultRoutes(operations)(app)
    createIncidentRoutes(incidents)(app)
  }
  return { rules, hooks, routes, due: createFaultDue(rules), release: operations.release }
}
