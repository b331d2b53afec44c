import { findApplication } from '../../marketplace/accounts/applications.ts'
import type { JobHandlers } from '../../platform/jobs/port.ts'
import type { ApplicationNotifier } from './ports.ts'
import { renderSecretExpiry } from './secret-notifications.ts'

export const WARN_OF_SECRET_EXPIRY = 'warnOfSecretExpiry'

export interface WarnOfSecretExpiryPayload {
  applicationId: string
  expiresAt: string
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
