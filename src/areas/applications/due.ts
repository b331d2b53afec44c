import { type ExpiringCredential, findExpiringCredentials } from '../../marketplace/accounts/credential-expiry.ts'
import type { DueSource } from '../../platform/due.ts'

const endOf = (kind: string, credential: ExpiringCredential, what: string): DueSource => ({
  async find(reader, after, limit) {
    const ends = await findExpiringCredentials(reader, credential, after, limit)
    return ends.map(({ applicationId, endsAt }) => ({
      kind,
      time: endsAt,
      id: applicationId,
      description: `The ${what} of the application ${applicationId} ends`,
    }))
  },
})

export const credentialDue: DueSource[] = [
  endOf('clientSecretExpiry', 'client_secret_expires_at', 'client secret'),
  endOf('previousClientSecretExpiry', 'previous_secret_ends_at', 'previous client secret'),
  endOf('previousSigningKeyExpiry', 'previous_signing_key_ends_at', 'previous signing key'),
]
