import { actions, JOB_OPERATIONS, MESSAGE_OPERATION } from '../dev/faults/actions.ts'
import { incidents } from '../dev/faults/incidents/incidents.ts'
import type { FaultSettings } from '../dev/faults/public.ts'
import type { Pass } from './pass.ts'

/** The calls that start work in the background, by the name of that work in fault rules. */
const STARTED_BY: Readonly<Record<string, readonly string[]>> = {
  processReport: ['createReport', 'createReportSchedule'],
  processFeed: ['createFeed'],
  [MESSAGE_OPERATION]: ['createSubscription'],
}

/** The incidents that can change what a run of the command sees. */
export function incidentsFor({ calls }: Pick<Pass, 'calls'>): string[] {
  const called = [...new Set(calls.map(({ operation }) => operation))]
  const concerns = (rule: FaultSettings) =>
    operationsOf(rule, called).some((name) => (STARTED_BY[name] ?? [name]).some((one) => called.includes(one)))
  return Object.entries(incidents)
    .filter(([, { faults }]) => faults.some(concerns))
    .map(([name]) => name)
}

/** A rule without operations is about all that its action fits. */
function operationsOf({ match, action }: FaultSettings, called: readonly string[]): readonly string[] {
  if (match?.operations !== undefined) return [match.operations].flat()
  const all = { request: called, job: JOB_OPERATIONS, message: [MESSAGE_OPERATION] }
  return all[actions[action.kind].layer]
}

export const INCIDENT_NAMES: readonly string[] = Object.keys(incidents)

/** Whether a command that needs what an incident prevents can only give up. */
export const isEndless = (incident: string | undefined): boolean =>
  incident !== undefined && incidents[incident]?.isEndless === true
