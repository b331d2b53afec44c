import type { SigningConfig } from '../config/config.ts'
import { findApplication, isSigningKeyOf } from '../marketplace/accounts/applications.ts'
import { signingSecret } from '../platform/auth/signing-keys.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'

/** Finds what the secret half of an application's signing key may be. */
export function createSecretKeyLookup(
  { database, clock }: { database: Database; clock: Clock },
  { masterSecret, fallbackSecrets }: SigningConfig,
) {
  return async (applicationId: string, accessKeyId: string): Promise<string[]> => {
    const application = await database.read((reader) => findApplication(reader, applicationId))
    if (!application || !isSigningKeyOf(application, accessKeyId, clock.now())) return []
    return [masterSecret, ...fallbackSecrets].map((secret) => signingSecret(secret, accessKeyId))
  }
}
