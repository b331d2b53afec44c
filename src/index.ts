// The package: what `import ... from 'souk'` gives.
import type { Souk, SoukOptions } from './public-types.ts'

export { ActError } from './acts/act-error.ts'
export type * from './acts/public.ts'
export type * from './dev/clock/public.ts'
export type { Demo } from './dev/demo/demo.ts'
export type * from './dev/event-bus/public.ts'
export type * from './dev/faults/public.ts'
export type * from './dev/life/public.ts'
export type * from './dev/overview/public.ts'
export type * from './dev/progress/public.ts'
export type * from './dev/queue/inspection/public.ts'
export { QueuePortError } from './dev/queue-port-error.ts'
export type * from './dev/requests/public.ts'
export type * from './dev/requests/verify/public.ts'
export { VerificationError } from './dev/requests/verify/verification-error.ts'
export { OtherSeedError } from './dev/seed/other-seed-error.ts'
export { SeedError, type SeedProblem } from './dev/seed/problems.ts'
export type * from './dev/seed/public.ts'
export type * from './dev/state/public.ts'
export { TlsPortError } from './dev/tls/tls-port-error.ts'
export { ManualClock } from './platform/clock/manual-clock.ts'
export type { VirtualClock } from './platform/clock/port.ts'
export { DatabaseFileError, DatabaseInUseError, LockFileError } from './platform/database/database-file-errors.ts'
export type { Ids } from './platform/ids/port.ts'
export { SequentialIds } from './platform/ids/sequential-ids.ts'
export type { Readings } from './platform/readings.ts'
export type * from './public-types.ts'

/** Starts a stand-in marketplace in this process. `souk dev` is this with a banner. */
export async function startSouk(options: SoukOptions = {}): Promise<Souk> {
  const { checkOptions, soukOptionChecks } = await import('./config/options.ts')
  checkOptions(options, soukOptionChecks)
  const { startStandIn } = await import('./stand-in/stand-in.ts')
  return startStandIn(options)
}
