import type { Authorization } from '../../marketplace/accounts/authorizations.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'

export interface CredentialDependencies {
  database: Database
  clock: Clock
  ids: Ids
  /** Returns the secret half of an application's signing key. */
  signingSecret(accessKeyId: string): string
  /** Called after a revocation, so that no revoked token remains in memory. */
  clearTokenCache(): void
  /** Deletes the pending deliveries of a revoked authorization. */
  dropNotifications(authorization: Authorization): Promise<void>
  applicationQueues: ApplicationQueues
}

interface ApplicationQueue {
  applicationId: string
  queueArn: string
}

/** Queues that receive notifications about applications. The area of notifications implements them. */
interface ApplicationQueues {
  /** Throws if a queue belongs to another application. */
  registerQueues(tx: Transaction, queues: readonly ApplicationQueue[]): Promise<unknown>
  /** Called after the commit. */
  prepareQueues(queues: readonly ApplicationQueue[]): Promise<void>
}
