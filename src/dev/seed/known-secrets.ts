import { listApplications, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { listAuthorizations, listRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Reader } from '../../platform/database/port.ts'
import { pages } from './pages.ts'
import type { SeedCredentials } from './public.ts'

const MAX_SECRETS = 200_000

/** The secrets of the seeds that a process has read. The database has their digests only. */
export class KnownSecrets {
  readonly #byDigest = new BoundedMap<string, string>(MAX_SECRETS)
  /** The places of applications and of their authorizations in their seeds. */
  readonly #places = new BoundedMap<string, number>(MAX_SECRETS)
  #lastPlace = 0

  add(credentials: readonly SeedCredentials[]): void {
    for (const { applicationId, clientSecret, authorizations } of credentials) {
      this.#places.set(applicationId, ++this.#lastPlace)
      for (const { sellerId } of authorizations) this.#places.set(keyOf({ sellerId, applicationId }), ++this.#lastPlace)
      for (const secret of [clientSecret, ...authorizations.map(({ refreshToken }) => refreshToken)]) {
        if (secret !== undefined) this.#byDigest.set(digest(secret), secret)
      }
    }
  }

  /** Lists the applications of a marketplace with their secrets, as far as they are known, in the order of the seed. */
  async listCredentials(reader: Reader): Promise<SeedCredentials[]> {
    const applications: RegisteredApplication[] = []
    for await (const page of pages((page) => listApplications(reader, page), ['applicationId']))
      applications.push(...page)
    const grants = new Map<string, SeedCredentials['authorizations']>()
    for await (const page of pages((page) => listAuthorizations(reader, page), ['sellerId', 'applicationId'])) {
      const tokens = Map.groupBy(await listRefreshTokens(reader, page), keyOf)
      for (const grant of page) {
        const known = (tokens.get(keyOf(grant)) ?? []).map(({ tokenDigest }) => this.#byDigest.get(tokenDigest))
        const refreshToken = known.find((token) => token !== undefined)
        const own = grants.get(grant.applicationId) ?? []
        own.push({ sellerId: grant.sellerId, ...(refreshToken !== undefined && { refreshToken }) })
        grants.set(grant.applicationId, own)
      }
    }
    const byPlace = <Item>(items: readonly Item[], toKey: (item: Item) => string) =>
      items
        .map((item) => ({ item, place: this.#places.get(toKey(item)) ?? Number.MAX_SAFE_INTEGER }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item)
    return byPlace(applications, ({ applicationId }) => applicationId).map(
      ({ applicationId, clientId, clientSecretDigest }) => {
        const clientSecret = this.#byDigest.get(clientSecretDigest)
        const own = grants.get(applicationId) ?? []
        return {
          applicationId,
          clientId,
          ...(clientSecret !== undefined && { clientSecret }),
          authorizations: byPlace(own, ({ sellerId }) => keyOf({ sellerId, applicationId })),
        }
      },
    )
  }
}

const keyOf = ({ sellerId, applicationId }: { sellerId: string; applicationId: string }) =>
  `${sellerId} ${applicationId}`
