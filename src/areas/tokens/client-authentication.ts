import {
  findTokenClient,
  isClientSecretOf,
  peekTokenClient,
  type TokenClientKey,
} from '../../marketplace/accounts/applications.ts'
import { digest } from '../../platform/auth/digest.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Explain } from '../../platform/errors/explanation.ts'
import { OAuthError } from '../../platform/errors/oauth-error.ts'
import type { Limits } from '../../platform/throttle/limits.ts'
import type { Limit, Rate } from '../../platform/throttle/port.ts'

export interface AuthenticationDependencies {
  database: Database
  clock: Clock
  limits: Limits
  /** Separate from other limits: any client can fail with any client id, and must not evict the buckets of callers. */
  failureLimits: Limits
  /** The stored digest that a secret stands for. Default: its own digest. */
  digestSecret?: (secret: string) => string
}

// A client needs one token per hour and seller. Test suites and fleets of short-lived workers request more.
const GRANT_RATE: Rate = { perSecond: 10, burst: 200 }
/** Wrong secrets per client id and IP address. */
const FAILURE_RATE: Rate = { perSecond: 0.2, burst: 20 }

interface ClientCredentials {
  client: TokenClientKey
  clientSecretDigest: string
  /** The IP address of the client. */
  address: string
}

/** An application that has proven its secret. */
export interface AuthenticatedClient {
  applicationId: string
  /** The seller of its refresh token; undefined if it sent none that it was issued. */
  sellerId: string | undefined
  /** When the recent token expires. Undefined if it was revoked. */
  recentTokenExpiresAt: string | undefined
}

/** Returns the application with a client id and secret. */
export function createClientAuthentication(dependencies: AuthenticationDependencies) {
  const { database, clock, limits, failureLimits } = dependencies
  const grants = limits.of(GRANT_RATE)
  const failures = failureLimits.of(FAILURE_RATE)
  return async ({ client: key, clientSecretDigest, address }: ClientCredentials): Promise<AuthenticatedClient> => {
    const { clientId } = key
    const client = peekTokenClient(database, key) ?? (await database.read((reader) => findTokenClient(reader, key)))
    if (!client || !isClientSecretOf(client.secrets, clientSecretDigest, clock.now())) {
      // The correct secret always passes, so that an attacker cannot lock a client out. Secrets have 256 random bits,
      // so they do not need a limit on guesses.
      if (await failures.take(digest(`${clientId}\n${address}`)))
        throw invalidClient(explainClient(clientId, client !== undefined))
      throw slowDown('Too many failed client authentications', failures, FAILURE_RATE, clock.now())
    }
    const { applicationId } = client.secrets
    if (!(await grants.take(`createToken ${applicationId}`))) {
      throw slowDown('Too many token requests: a token is valid for one hour', grants, GRANT_RATE, clock.now())
    }
    return { applicationId, sellerId: client.sellerId, recentTokenExpiresAt: client.recentTokenExpiresAt }
  }
}

/**
 * The error does not say which of the two is wrong, because that would confirm client ids. Only the explanation does:
 * the stand-in alone shows it, to its developer.
 */
export const invalidClient = (explain: Explain) =>
  new OAuthError('invalid_client', 'Client authentication failed', {
    reason:
      'The client id or client secret is wrong. A rotated secret stops working after its overlap, and a secret that the application created after 180 days.',
    explain,
  })

const explainClient =
  (clientId: string, isKnown: boolean): Explain =>
  () => ({
    facts: { client_id: clientId, isKnownClientId: isKnown, isSecretOfClient: false },
    change: {
      body: { ...(!isKnown && { client_id: '<the client id>' }), client_secret: '<its client secret>' },
    },
  })

const slowDown = (what: string, { retryAfterSeconds }: Limit, { perSecond, burst }: Rate, now: Date) =>
  new OAuthError('slow_down', `${what}. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
    explain: () => ({
      facts: { bucketPerSecond: perSecond, bucketBurst: burst, now },
      change: { notBefore: new Date(now.getTime() + retryAfterSeconds * 1000) },
    }),
  })
