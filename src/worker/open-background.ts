import type { Platform } from '../composition/adapters.ts'
import { type Config, IN_MEMORY, type WorkerOptions } from '../config/config.ts'
import { Sealer } from '../platform/auth/sealer.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import type { LoggerOptions } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import type { Background } from './background.ts'

export interface BackgroundSettings {
  database: Config['database']
  documentsFolder: string
  messaging: MessagingSettings
  signing: Config['signing']
  log: LoggerOptions
  worker: WorkerOptions
  /** Without effect in a thread: functions cannot be passed to it. */
  expanders: Expanders | undefined
}

/** Starts the worker of the stand-in: in a thread if the database is a file and the clock is the system clock. */
export async function openBackground(
  { documents, ...platform }: Platform<VirtualClock>,
  { database, documentsFolder, messaging, signing, log, worker, expanders }: BackgroundSettings,
): Promise<Background> {
  const { clock, logger } = platform
  const isShareable = database.kind === 'sqlite' && database.path !== IN_MEMORY && clock instanceof SystemClock
  if (!isShareable) {
    const { startBackground } = await import('./in-process-background.ts')
    const { createMessenger } = await import('../platform/messaging/messenger.ts')
    const messenger = createMessenger(messaging)
    return startBackground(
      { ...platform, documents: documents.store, messenger, sealer: new Sealer(signing) },
      worker,
      { expanders, isStandIn: true },
    )
  }
  const { ThreadBackground } = await import('./thread-background.ts')
  const { nextRunAt } = await import('../platform/jobs/store.ts')
  const { hasPendingNotifications } = await import('../areas/notifications/index.ts')
  const background = new ThreadBackground({
    databasePath: database.path,
    documentsFolder,
    messaging,
    signing,
    log,
    options: worker,
    clock,
    logger,
  })
  const hasPendingWork = await platform.database.read(
    async (reader) => (await nextRunAt(reader)) ?? hasPendingNotifications(reader),
  )
  if (hasPendingWork) background.wake()
  return background
}
