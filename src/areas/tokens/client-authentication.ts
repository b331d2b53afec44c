import { findApplicationByClientId, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { digest, matchesDigest } from '../../platform/auth/digest.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { OAuthError } from '../../platform/errors/oauth-error.ts'
import type { Limit, Rate } from '../../platform/throttle/port.ts'

export interface AuthenticationDependencies {
  database: Database
  clock: Clock
  /** How often an authenticated client may ask for a token. */
  grants: Limit
  /** How often a client id may come with a wrong secret, from one address. */
  failures: Limit
}

/** A client needs one token an hour for each seller. A test suite or a fleet of short-lived workers asks more often. */
export const TOKEN_RATES = {
  grants: { perSecond: 10, burst: 200 },
  failures: { perSecond: 0.2, burst: 20 },
} as const satisfies Record<string, Rate>

interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** The address that the request comes from. */
  address: string
}

/** Says which application a client id and a secret are of. */
export function createClientAuthentication({ database, clock, grants, failures }: AuthenticationDependencies) {
  return async ({ clientId, clientSecret, address }: ClientCredentials): Promise<RegisteredApplication> => {
    const application = await database.read((reader) => findApplicationByClientId(reader, clientId))
    if (!application || !matchesSecret(application, clientSecret, clock.now())) {
      // The right secret always passes, so that nobody can lock a client out by failing in its name. Secrets have 256
      // random bits: not the number of guesses protects them.
      if (failures.take(digest(`${clientId}\n${address}`))) throw invalidClient()
      throw slowDown('Client authentication failed too often', failures)
    }
    if (!grants.take(`createToken ${application.applicationId}`)) {
      throw slowDown('The client asks for tokens too often: a token is good for an hour', grants)
    }
    return application
  }
}

/** The secret, or the one before it while both are good. */
function matchesSecret(application: RegisteredApplication, secret: string, now: Date): boolean {
  const { clientSecretDigest, previousSecret } = application
  if (matchesDigest(secret, clientSecretDigest)) return true
  return previousSecret !== undefined && previousSecret.endsAt > now && matchesDigest(secret, previousSecret.digest)
}

// Which of the two is wrong is not said: that would confirm client ids.
export const invalidClient = () =>
  new OAuthError('invalid_client', 'Client authentication failed', {
    reason: 'No application has this client id with this client secret. A rotated secret stops working.',
  })

const slowDown = (what: string, { retryAfterSeconds }: Limit) =>
  new OAuthError('slow_down', `${what}. Try again in ${retryAfterSeconds} seconds.`, { retryAfterSeconds })
