import { type ConsoleDependencies, createConsole } from '../console/index.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { packageFile } from '../platform/package-files.ts'
import { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import type { Platform } from './adapters.ts'
import { version } from './version.ts'

export interface WebConsoleOptions
  extends Pick<ConsoleDependencies, 'passwords' | 'operatorKeyDigests' | 'publicUrl' | 'findDenial'> {
  /** Default: that of the package. */
  folder: string | undefined
}

export const createWebConsole = (
  { database, clock, ids }: Platform,
  { folder = packageFile('dist/console'), ...options }: WebConsoleOptions,
) =>
  createConsole({
    database,
    clock,
    ids,
    version,
    folder,
    throttle: new MemoryThrottle(new SystemClock()),
    ...options,
  })
