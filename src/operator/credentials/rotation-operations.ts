import {
  findApplication,
  type RegisteredApplication,
  upsertApplications,
} from '../../marketplace/accounts/applications.ts'
import { digest } from '../../platform/auth/digest.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { CredentialDependencies } from './dependencies.ts'

export interface Rotation {
  /** How long the previous credential stays valid. Default: 7 days, as on the live service. */
  overlapSeconds?: number
  /** Replace the credential of the last rotation and keep the one before it. */
  discardCurrent?: boolean
}

type CredentialName = 'client secret' | 'signing key'
type PreviousCredential = { endsAt: Date }

const DEFAULT_OVERLAP_SECONDS = 7 * 24 * 60 * 60

export type RotationOperations = ReturnType<typeof createRotationOperations>

/** Replaces credentials of applications. The previous credential stays valid for a while, so that no request fails. */
export function createRotationOperations({ database, clock, ids, signingSecret }: CredentialDependencies) {
  return {
    async rotateClientSecret(applicationId: string, rotation: Rotation) {
      const clientSecret = ids.next('clientSecret')
      return database.transact(async (tx) => {
        const application = await requireApplication(tx, applicationId)
        const { clientSecretDigest, previousSecret } = application
        const current = { digest: clientSecretDigest }
        const previous = overlap('client secret', { current, previous: previousSecret }, rotation)
        await upsertApplications(tx, [
          { ...application, clientSecretDigest: digest(clientSecret), previousSecret: previous },
        ])
        return { applicationId, clientSecret, previousSecretEndsAt: previous.endsAt.toISOString() }
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
        const current = { keyId: signingKeyId }
        const previous = overlap('signing key', { current, previous: previousSigningKey }, rotation)
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

  /** Returns the credential that stays valid next to the new one, and its end. */
  function overlap<Credential extends object>(
    name: CredentialName,
    { current, previous }: { current: Credential; previous: (Credential & PreviousCredential) | undefined },
    { overlapSeconds = DEFAULT_OVERLAP_SECONDS, discardCurrent = false }: Rotation,
  ): Credential & PreviousCredential {
    const endsAt = new Date(clock.now().getTime() + overlapSeconds * 1000)
    if (!previous || previous.endsAt <= clock.now()) {
      if (!discardCurrent) return { ...current, endsAt }
      throw conflict(name, 'There is no previous credential, so the current one cannot be discarded')
    }
    if (discardCurrent) return { ...previous, endsAt }
    throw conflict(
      name,
      `The previous one is valid until ${previous.endsAt.toISOString()}: end it first, or set discardCurrent`,
    )
  }

  function requireOverlap(name: CredentialName, previous: PreviousCredential | undefined): void {
    if (previous && previous.endsAt > clock.now()) return
    throw new ApiError('NotFound', `The application has no previous ${name}.`)
  }
}

const conflict = (name: CredentialName, reason: string) =>
  new ApiError('Conflict', `The ${name} cannot be rotated now.`, `${reason}.`)

async function requireApplication(tx: Transaction, applicationId: string): Promise<RegisteredApplication> {
  const application = await findApplication(tx, applicationId)
  if (!application) throw new ApiError('NotFound', 'The application was not found.')
  return application
}
