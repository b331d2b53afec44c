import { endedSessionSweep } from '../console/index.ts'
import { oldGivenUpJobSweep } from '../platform/jobs/retention.ts'
import { oldEventSweep } from '../platform/outbox/retention.ts'
import { type Sweep, Sweeper } from '../platform/sweeps.ts'
import type { Platform } from './adapters.ts'
import { type Area, sweepsOf } from './area.ts'

/** Runs the sweeps of the areas and of the platform, in a worker or beside the service. */
export function startSweeps(
  platform: Platform,
  areas: readonly Area[],
  { others = [], startsLater = false }: { others?: readonly Sweep[]; startsLater?: boolean } = {},
): Sweeper {
  const sweeps = [
    ...sweepsOf(areas),
    oldEventSweep,
    oldGivenUpJobSweep,
    endedSessionSweep,
    ...platform.documents.sweeps,
    ...others,
  ]
  return new Sweeper(platform, sweeps, { startsLater })
}
