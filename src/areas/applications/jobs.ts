import { type ClientSecrets, findApplication } from '../../marketplace/accounts/applications.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { JobHandlers, JobQueue } from '../../platform/jobs/port.ts'
import type { ApplicationNotifier } from './ports.ts'
import { renderSecretExpiry, warningTimeOf } from './secret-notifications.ts'

const WARN_OF_SECRET_EXPIRY = 'warnOfSecretExpiry'

interface WarnOfSecretExpiryPayload {
  applicationId: string
  expiresAt: string
}

export async function warnLater(
  tx: Transaction,
  jobs: JobQueue,
  applicationId: string,
  expiresAt: Date,
): Promise<void> {
  const payload: WarnOfSecretExpiryPayload = { applicationId, expiresAt: expiresAt.toISOString() }
  await jobs.enqueue(tx, { kind: WARN_OF_SECRET_EXPIRY, payload, runAt: warningTimeOf(expiresAt) })
}

/** For applications that are part of a seed. The warnings of the past were sent. */
export async function seedWarnings(
  tx: Transaction,
  jobs: JobQueue,
  applications: readonly Pick<ClientSecrets, 'applicationId' | 'clientSecretExpiresAt'>[],
  now: Date,
): Promise<void> {
  for (const { applicationId, clientSecretExpiresAt: expiresAt } of applications) {
    if (expiresAt && warningTimeOf(expiresAt) > now) await warnLater(tx, jobs, applicationId, expiresAt)
  }
}

export interface ApplicationJobDependencies {
  applicationNotifier: ApplicationNotifier
}

export const createApplicationJobs = ({ applicationNotifier }: ApplicationJobDependencies): JobHandlers => ({
  [WARN_OF_SECRET_EXPIRY]: {
    async run({ applicationId, expiresAt }: WarnOfSecretExpiryPayload, { finish }) {
      await finish(async (tx) => {
        const application = await findApplication(tx, applicationId)
        const { secretQueues, clientSecretExpiresAt } = application ?? {}
        // The secret was rotated since, or the application receives no warnings.
        if (!application || !secretQueues?.secretExpiry || clientSecretExpiresAt?.toISOString() !== expiresAt) return
        await applicationNotifier.notify(
          tx,
          renderSecretExpiry(application, secretQueues.secretExpiry, clientSecretExpiresAt),
        )
      })
    },
    // The secret expires all the same.
    async giveUp() {},
  },
})
