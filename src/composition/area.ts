import type { Routes } from '../http/route.ts'
import type { DueSource } from '../platform/due.ts'
import type { JobHandlers } from '../platform/jobs/port.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import type { Sweep } from '../platform/sweeps.ts'

/** What every area provides. Areas do not import it: composition checks their structure. */
export interface Area {
  routes: Routes
  /** By job kind. */
  jobs: JobHandlers
  sweeps: readonly Sweep[]
  /** What happens later by itself, besides jobs. */
  due: readonly DueSource[]
  /** By the type of the internal event. */
  expanders: Expanders
}

export const routesOf = (areas: readonly Area[]): Routes[] => areas.map(({ routes }) => routes)

export const jobsOf = (areas: readonly Area[]): JobHandlers => merge(areas.map(({ jobs }) => jobs))

export const sweepsOf = (areas: readonly Area[]): Sweep[] => areas.flatMap(({ sweeps }) => sweeps)

export const dueOf = (areas: readonly Area[]): DueSource[] => areas.flatMap(({ due }) => due)

export const expandersOf = (areas: readonly Area[]): Expanders => merge(areas.map(({ expanders }) => expanders))

function merge<Value>(records: readonly Readonly<Record<string, Value>>[]): Record<string, Value> {
  const merged: Record<string, Value> = {}
  for (const [key, value] of records.flatMap((record) => Object.entries(record))) {
    if (Object.hasOwn(merged, key)) throw new Error(`Two areas provide ${key}`)
    merged[key] = value
  }
  return merged
}
