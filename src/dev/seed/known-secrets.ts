import { listApplications } from '../../marketplace/accounts/applications.ts'
import { listAuthorizations, listRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Reader } from '../../platform/database/port.ts'
import type { SeedCredentials } from './public.ts'

const MAX_SECRETS = 10_000
const MAX_LISTED = 1_000

/** The secrets of the seeds that a process has read. The database has their digests only. */
export class KnownSecrets {
  readonly #byDigest = new BoundedMap<string, string>(MAX_SECRETS)

  add(credentials: readonly SeedCredentials[]): void {
    for (const { clientSecret, authorizations } of credentials) {
      for (const secret of [clientSecret, ...authorizations.map(({ refreshToken }) => refreshToken)]) {
        if (secret !== undefined) this.#byDigest.set(digest(secret), secret)
      }
    }
  }

  /** Lists the applications of a marketplace with their secrets, as far as they are known. */
  async listCredentials(reader: Reader): Promise<SeedCredentials[]> {
    const applications = await listApplications(reader, { limit: MAX_LISTED })
    const grants = await listAuthorizations(reader, { limit: MAX_LISTED })
    const tokens = await listRefreshTokens(reader, grants)
    return applications.map(({ applicationId, clientId, clientSecretDigest }) => {
      const clientSecret = this.#byDigest.get(clientSecretDigest)
      return {
        applicationId,
        clientId,
        ...(clientSecret !== undefined && { clientSecret }),
        authorizations: grants
          .filter((grant) => grant.applicationId === applicationId)
          .map(({ sellerId }) => {
            const refreshToken = tokens
              .filter((token) => token.applicationId === applicationId && token.sellerId === sellerId)
              .map(({ tokenDigest }) => this.#byDigest.get(tokenDigest))
              .find((token) => token !== undefined)
            return { sellerId, ...(refreshToken !== undefined && { refreshToken }) }
          }),
      }
    })
  }
}
