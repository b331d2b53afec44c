import { findApplication, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { isInOverlap, rotateClientSecret } from '../../marketplace/accounts/credential-rotation.ts'
import type { GrantlessCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { neverPasses } from '../../platform/errors/explanation.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import { warnLater } from './jobs.ts'
import type { ApplicationNotifier } from './ports.ts'
import { expiryOf, renderNewSecret, requireQueue } from './secret-notifications.ts'

export interface ApplicationsDependencies {
  database: Database
  clock: Clock
  ids: Ids
  jobs: JobQueue
  applicationNotifier: ApplicationNotifier
}

export type ApplicationOperations = ReturnType<typeof createApplicationOperations>

export function createApplicationOperations({
  database,
  clock,
  ids,
  jobs,
  applicationNotifier,
}: ApplicationsDependencies) {
  return {
    /** The new secret is not returned: it arrives at the queue that the operator registered for the application. */
    async rotateApplicationClientSecret({ applicationId }: GrantlessCaller): Promise<void> {
      const newSecret = ids.next('clientSecret')
      await database.transact(async (tx) => {
        const now = clock.now()
        const application = await requireApplication(tx, applicationId)
        const queueArn = requireQueue(application)
        requireOneSecret(application, now)
        const newExpiresAt = expiryOf(now)
        const oldEndsAt = await rotateClientSecret(tx, application, {
          clientSecret: newSecret,
          expiresAt: newExpiresAt,
          now,
        })
        const secrets = { newSecret, newExpiresAt, oldEndsAt }
        await applicationNotifier.notify(tx, renderNewSecret(application, queueArn, secrets))
        await warnLater(tx, jobs, applicationId, newExpiresAt)
      })
    },
  }
}

async function requireApplication(tx: Transaction, applicationId: string): Promise<RegisteredApplication> {
  const application = await findApplication(tx, applicationId)
  if (!application) {
    const explain = neverPasses('Have the operator register the application.', { applicationId })
    throw new ApiError('NotFound', 'The application was not found.', '', { explain })
  }
  return application
}

/** A third secret would end one that the client may be using. */
function requireOneSecret({ previousSecret }: RegisteredApplication, now: Date): void {
  if (!isInOverlap(previousSecret, now)) return
  throw new ApiError(
    'InvalidInput',
    'The client secret cannot be rotated now.',
    `The previous one is valid until ${previousSecret.endsAt.toISOString()}.`,
    {
      explain: () => ({
        facts: { now, previousEndsAt: previousSecret.endsAt },
        change: { notBefore: previousSecret.endsAt },
      }),
    },
  )
}
