import type { RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { afterDoing } from '../../platform/errors/explanation.ts'
import type { ApplicationNotification } from './ports.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
/** As on the live service. */
const LIFETIME_DAYS = 180
const WARNING_DAYS = 90

export const expiryOf = (now: Date) => new Date(now.getTime() + LIFETIME_DAYS * DAY_MILLISECONDS)
export const warningTimeOf = (expiresAt: Date) => new Date(expiresAt.getTime() - WARNING_DAYS * DAY_MILLISECONDS)

/** Without a queue, the new secret could not be delivered. */
export function requireQueue({ secretQueues }: RegisteredApplication): string {
  if (secretQueues?.newSecret) return secretQueues.newSecret
  throw new ApiError(
    'InvalidInput',
    'The application is not enrolled for notifications of new client secrets.',
    'The operator sets secretQueues.newSecret of the application.',
    { explain: afterDoing('Have the operator set secretQueues.newSecret of the application', { newSecret: null }) },
  )
}

interface Secrets {
  newSecret: string
  newExpiresAt: Date
  oldEndsAt: Date
}

export const renderNewSecret = (
  { applicationId, clientId }: RegisteredApplication,
  queueArn: string,
  { newSecret, newExpiresAt, oldEndsAt }: Secrets,
): ApplicationNotification => ({
  applicationId,
  queueArn,
  type: 'APPLICATION_OAUTH_CLIENT_NEW_SECRET',
  payload: {
    applicationOAuthClientNewSecret: {
      clientId,
      newClientSecret: newSecret,
      newClientSecretExpiryTime: newExpiresAt.toISOString(),
      oldClientSecretExpiryTime: oldEndsAt.toISOString(),
    },
  },
})

export const renderSecretExpiry = (
  { applicationId, clientId }: RegisteredApplication,
  queueArn: string,
  expiresAt: Date,
): ApplicationNotification => ({
  applicationId,
  queueArn,
  type: 'APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY',
  payload: {
    applicationOAuthClientSecretExpiry: {
      clientId,
      clientSecretExpiryTime: expiresAt.toISOString(),
      clientSecretExpiryReason: 'PERIODIC_ROTATION',
    },
  },
})
