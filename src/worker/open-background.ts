import { hasPendingNotifications } from '../areas/notifications/index.ts'
import type { Platform } from '../composition/adapters.ts'
import { type Config, IN_MEMORY, type WorkerOptions } from '../config/config.ts'
import type { FaultRules } from '../dev/faults/index.ts'
import { Sealer } from '../platform/auth/sealer.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { nextRunAt } from '../platform/jobs/store.ts'
import type { LoggerOptions } from '../platform/logging/logger.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import type { Background } from './background.ts'
import type { StandInMessaging } from './stand-in-messenger.ts'

export interface BackgroundSettings {
  database: Config['database']
  documentsFolder: string
  messaging: StandInMessaging
  /** Has the consumers of a local queue look for messages. */
  notifyQueue(queueName: string): void
  signing: Config['signing']
  log: LoggerOptions
  worker: WorkerOptions
  /** Without effect in a thread: functions cannot be passed to it. */
  expanders: Expanders | undefined
  faults: FaultRules
}

/** Starts the worker of the stand-in: in a thread if the database is a file and the clock is the system clock. */
export async function openBackground(
  { documents, ...platform }: Platform<VirtualClock>,
  { database, documentsFolder, messaging, notifyQueue, signing, log, worker, expanders, faults }: BackgroundSettings,
): Promise<Background> {
  const { clock, logger } = platform
  const isShareable = database.kind === 'sqlite' && database.path !== IN_MEMORY && clock instanceof SystemClock
  if (!isShareable) {
    const { startBackground } = await import('./in-process-background.ts')
    const { createStandInMessenger } = await import('./stand-in-messenger.ts')
    const messenger = createStandInMessenger(messaging, { ...platform, notifyQueue })
    return startBackground(
      { ...platform, documents: documents.store, messenger, sealer: new Sealer(signing) },
      worker,
      { expanders, isStandIn: true, faults },
    )
  }
  const { ThreadBackground } = await import('./thread-background.ts')
  const background = new ThreadBackground({
    databasePath: database.path,
    documentsFolder,
    messaging,
    notifyQueue,
    signing,
    log,
    options: worker,
    clock,
    logger,
    faults,
  })
  const hasPendingWork = await platform.database.read(
    async (reader) => (await nextRunAt(reader)) ?? hasPendingNotifications(reader),
  )
  if (hasPendingWork) background.wake()
  return background
}
