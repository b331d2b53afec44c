import { findApplicationByClientId, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { digest, matchesDigest } from '../../platform/auth/digest.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { OAuthError } from '../../platform/errors/oauth-error.ts'
import type { Limits } from '../../platform/throttle/limits.ts'
import type { Limit, Rate } from '../../platform/throttle/port.ts'

export interface AuthenticationDependencies {
  database: Database
  clock: Clock
  limits: Limits
  /** Separate from other limits: any client can fail with any client id, and must not evict the buckets of callers. */
  failureLimits: Limits
}

// A client needs one token an hour per seller. Test suites and fleets of short-lived workers ask more often.
const GRANT_RATE: Rate = { perSecond: 10, burst: 200 }
/** Wrong secrets per client id and IP address. */
const FAILURE_RATE: Rate = { perSecond: 0.2, burst: 20 }

interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** The address that the request comes from. */
  address: string
}

/** Says which application a client id and a secret are of. */
export function createClientAuthentication(dependencies: AuthenticationDependencies) {
  const { database, clock, limits, failureLimits } = dependencies
  const grants = limits.of(GRANT_RATE)
  const failures = failureLimits.of(FAILURE_RATE)
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
