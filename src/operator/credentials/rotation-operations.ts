import {
  findApplication,
  type RegisteredApplication,
  upsertApplications,
} from '../../marketplace/accounts/applications.ts'
import {
  type CredentialName,
  isInOverlap,
  overlapOf,
  type PreviousCredential,
  type Rotation,
  rotateClientSecret,
} from '../../marketplace/accounts/credential-rotation.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { CredentialDependencies } from './dependencies.ts'

export type RotationOperations = ReturnType<typeof createRotationOperations>

/** Replaces credentials of applications. The previous credential stays valid for a while, so that no request fails. */
export function createRotationOperations({ database, clock, ids, signingSecret }: CredentialDependencies) {
  return {
    async rotateClientSecret(applicationId: string, rotation: Rotation) {
      const clientSecret = ids.next('clientSecret')
      return database.transact(async (tx) => {
        const application = await requireApplication(tx, applicationId)
        const endsAt = await rotateClientSecret(tx, application, { clientSecret, now: clock.now() }, rotation)
        return { applicationId, clientSecret, previousSecretEndsAt: endsAt.toISOString() }
      })
    },

    async endPreviousClientSecret(applicationId: string): Promise<void> {
      await database.transact(async (tx) => {
        const { previousSecret, ...application } = await requireApplication(tx, applicationId)
        requireOverlap('client secret', previousSecret)
        await upsertApplications(tx, [application])
      })
    },

    async rotateSigningKey(applicationId: string, rotation: Rotation) {
      const accessKeyId = ids.next('signingKey')
      return database.transact(async (tx) => {
        const application = await requireApplication(tx, applicationId)
        const { signingKeyId, previousSigningKey } = application
        const keys = { current: { keyId: signingKeyId }, previous: previousSigningKey }
        const previous = overlapOf('signing key', keys, rotation, clock.now())
        await upsertApplications(tx, [{ ...application, signingKeyId: accessKeyId, previousSigningKey: previous }])
        const signingKey = { accessKeyId, secretAccessKey: signingSecret(accessKeyId) }
        return { applicationId, signingKey, previousSigningKeyEndsAt: previous.endsAt.toISOString() }
      })
    },

    async endPreviousSigningKey(applicationId: string): Promise<void> {
      await database.transact(async (tx) => {
        const { previousSigningKey, ...application } = await requireApplication(tx, applicationId)
        requireOverlap('signing key', previousSigningKey)
        await upsertApplications(tx, [application])
      })
    },
  }

  function requireOverlap(name: CredentialName, previous: PreviousCredential | undefined): void {
    if (isInOverlap(previous, clock.now())) return
    throw new ApiError('NotFound', `The application has no previous ${name}.`)
  }
}

async function requireApplication(tx: Transaction, applicationId: string): Promise<RegisteredApplication> {
  const application = await findApplication(tx, applicationId)
  if (!application) throw new ApiError('NotFound', 'The application was not found.')
  return application
}
