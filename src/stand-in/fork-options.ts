import { ManualClock } from '../platform/clock/manual-clock.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { SequentialIds } from '../platform/ids/sequential-ids.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { StandInOptions } from './options.ts'
import type { StateCopy } from './state.ts'

export interface ForkStart {
  logger: Logger
  copyOf: StateCopy
  /** Of the fork in its family. */
  forkNumber: number
}

/** The options of a fork: those of its parent, but ports, files, clock and ids of its own. */
export function forkOptions(parent: StandInOptions, { logger, copyOf, forkNumber }: ForkStart): StandInOptions {
  const {
    port: _port,
    queuePort: _queuePort,
    tlsPort: _tlsPort,
    publicUrl: _publicUrl,
    database: _database,
    databaseImage: _databaseImage,
    documents: _documents,
    eventBus: _eventBus,
    snapshots: _snapshots,
    fresh: _fresh,
    clock,
    ids,
    ...inherited
  } = parent
  return {
    ...inherited,
    logger,
    copyOf,
    clock: clock === undefined || clock instanceof SystemClock ? new SystemClock() : manualClock(clock, copyOf.time),
    ids: ids instanceof SequentialIds ? new SequentialIds(ids, `fork-${forkNumber}`) : new RandomIds(),
  }
}

/** Shows the time of the copy. A reset returns to the time to which one of the parent does. */
function manualClock(parent: VirtualClock, time: Date): ManualClock {
  const clock = new ManualClock(new Date(parent.now().getTime() - parent.offsetMilliseconds))
  clock.set(time)
  return clock
}
