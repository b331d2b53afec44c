import { listApplications } from '../../marketplace/accounts/applications.ts'
import { listAuthorizations, listRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Reader } from '../../platform/database/port.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { SeedCredentials } from './public.ts'

const MAX_SECRETS = 200_000
const PAGE_SIZE = 1_000

/** The secrets of the seeds that a process has read. The database has their digests only. */
export class KnownSecrets {
  readonly #byDigest = new BoundedMap<string, string>(MAX_SECRETS)
  /** The place of an application in the seed that was read last. */
  #places = new Map<string, number>()

  add(credentials: readonly SeedCredentials[]): void {
    this.#places = new Map(credentials.map(({ applicationId }, index) => [applicationId, index]))
    for (const { clientSecret, authorizations } of credentials) {
      for (const secret of [clientSecret, ...authorizations.map(({ refreshToken }) => refreshToken)]) {
        if (secret !== undefined) this.#byDigest.set(digest(secret), secret)
      }
    }
  }

  /** Lists the applications of a marketplace with their secrets, as far as they are known, in the order of the seed. */
  async listCredentials(reader: Reader): Promise<SeedCredentials[]> {
    const applications = await listAll(
      (page) => listApplications(reader, page),
      (one) => [one.applicationId],
    )
    const grants = new Map<string, SeedCredentials['authorizations']>()
    await listAll(
      async (page) => {
        const found = await listAuthorizations(reader, page)
        const tokens = Map.groupBy(await listRefreshTokens(reader, found), keyOf)
        for (const grant of found) {
          const known = (tokens.get(keyOf(grant)) ?? []).map(({ tokenDigest }) => this.#byDigest.get(tokenDigest))
          const refreshToken = known.find((token) => token !== undefined)
          const own = grants.get(grant.applicationId) ?? []
          own.push({ sellerId: grant.sellerId, ...(refreshToken !== undefined && { refreshToken }) })
          grants.set(grant.applicationId, own)
        }
        return found
      },
      (one) => [one.sellerId, one.applicationId],
    )
    const placeOf = ({ applicationId }: { applicationId: string }) => this.#places.get(applicationId) ?? Infinity
    return applications
      .map(({ applicationId, clientId, clientSecretDigest }) => {
        const clientSecret = this.#byDigest.get(clientSecretDigest)
        return {
          applicationId,
          clientId,
          ...(clientSecret !== undefined && { clientSecret }),
          authorizations: grants.get(applicationId) ?? [],
        }
      })
      .sort((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)))
  }
}

const keyOf = ({ sellerId, applicationId }: { sellerId: string; applicationId: string }) =>
  `${sellerId} ${applicationId}`

async function listAll<Item>(
  listPage: (page: PageRequest) => Promise<Item[]>,
  positionOf: (item: Item) => string[],
): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const last = items.at(-1)
    const page = await listPage({ limit: PAGE_SIZE, ...(last && { after: positionOf(last) }) })
    items.push(...page)
    if (page.length < PAGE_SIZE) return items
  }
}
