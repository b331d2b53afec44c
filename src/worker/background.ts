import type { Sealer } from '../platform/auth/sealer.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Messenger } from '../platform/messaging/port.ts'

/** The background work of this process, in this thread or another. */
export interface Background {
  /** Polls for work now. */
  wake(): void
  /** Resolves when no job is running and none is due. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export interface WorkerPlatform {
  database: Database
  clock: Clock
  ids: Ids
  logger: Logger
  documents: DocumentStore
  messenger: Messenger
  sealer: Sealer
}
