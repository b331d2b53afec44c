import { digest } from '../../platform/auth/digest.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { type PreviousSecret, type RegisteredApplication, upsertApplications } from './applications.ts'

export interface Rotation {
  /** How long the previous credential stays valid. Default: 7 days, as on the live service. */
  overlapSeconds?: number
  /** Replace the credential of the last rotation and keep the one before it. */
  discardCurrent?: boolean
}

export type CredentialName = 'client secret' | 'signing key'
export type PreviousCredential = { endsAt: Date }

const DEFAULT_OVERLAP_SECONDS = 7 * 24 * 60 * 60

interface NewClientSecret {
  clientSecret: string
  /** Default: it does not expire. */
  expiresAt?: Date
  now: Date
}

/** Replaces the client secret. Returns when the previous one ends. */
export async function rotateClientSecret(
  tx: Transaction,
  { clientSecretExpiresAt, ...application }: RegisteredApplication,
  { clientSecret, expiresAt, now }: NewClientSecret,
  rotation: Rotation = {},
): Promise<Date> {
  const { clientSecretDigest, previousSecret } = application
  const current: Omit<PreviousSecret, 'endsAt'> = {
    digest: clientSecretDigest,
    ...(clientSecretExpiresAt && { expiresAt: clientSecretExpiresAt }),
  }
  const previous = overlapOf('client secret', { current, previous: previousSecret }, rotation, now)
  // An overlap does not prolong the life of a secret.
  if (previous.expiresAt && previous.expiresAt < previous.endsAt) previous.endsAt = previous.expiresAt
  await upsertApplications(tx, [
    {
      ...application,
      clientSecretDigest: digest(clientSecret),
      previousSecret: previous,
      ...(expiresAt && { clientSecretExpiresAt: expiresAt }),
    },
  ])
  return previous.endsAt
}

/** Returns the credential that stays valid next to the new one, and its end. */
export function overlapOf<Credential extends object>(
  name: CredentialName,
  { current, previous }: { current: Credential; previous: (Credential & PreviousCredential) | undefined },
  { overlapSeconds = DEFAULT_OVERLAP_SECONDS, discardCurrent = false }: Rotation,
  now: Date,
): Credential & PreviousCredential {
  const endsAt = new Date(now.getTime() + overlapSeconds * 1000)
  if (!isInOverlap(previous, now)) {
    if (!discardCurrent) return { ...current, endsAt }
    throw conflict(name, 'There is no previous credential, so the current one cannot be discarded')
  }
  if (discardCurrent) return { ...previous, endsAt }
  throw conflict(
    name,
    `The previous one is valid until ${previous.endsAt.toISOString()}: end it first, or set discardCurrent`,
  )
}

export const isInOverlap = <Previous extends PreviousCredential>(
  previous: Previous | undefined,
  now: Date,
): previous is Previous => previous !== undefined && previous.endsAt > now

const conflict = (name: CredentialName, reason: string) =>
  new ApiError('Conflict', `The ${name} cannot be rotated now.`, `${reason}.`)
