import {
  listApplications,
  type RegisteredApplication,
  validSecretDigests,
} from '../../marketplace/accounts/applications.ts'
import { type Authorization, listAuthorizations, listRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Reader } from '../../platform/database/port.ts'
import { endOfTick } from '../../platform/end-of-tick.ts'
import { pages } from './pages.ts'
import type { SeedCredentials } from './public.ts'

/** An authorization with the digests of its refresh tokens. */
export interface Grant extends Authorization {
  tokenDigests: string[]
}

const MAX_SECRETS = 200_000

/** The secrets of the seeds that a process has read. The database has their digests only. */
export class KnownSecrets {
  readonly #others: KnownSecrets | undefined
  readonly #byDigest = new BoundedMap<string, string>(MAX_SECRETS)
  /** The places of applications and of their authorizations in their seeds. */
  readonly #places = new BoundedMap<string, number>(MAX_SECRETS)
  #lastPlace = 0

  /** With others, it knows theirs, too, and they do not know what is added to it. */
  constructor(others?: KnownSecrets) {
    this.#others = others
  }

  add(credentials: readonly SeedCredentials[]): void {
    for (const { applicationId, clientSecret, authorizations } of credentials) {
      this.#places.set(applicationId, ++this.#lastPlace)
      for (const { sellerId } of authorizations) this.#places.set(keyOf({ sellerId, applicationId }), ++this.#lastPlace)
      for (const secret of [clientSecret, ...authorizations.map(({ refreshToken }) => refreshToken)]) {
        if (secret !== undefined) this.#byDigest.set(digest(secret), secret)
      }
    }
  }

  /** Has a secret listed for a digest. */
  set(secretDigest: string, secret: string): void {
    this.#byDigest.set(secretDigest, secret)
  }

  find(secretDigest: string): string | undefined {
    return this.#byDigest.get(secretDigest) ?? this.#others?.find(secretDigest)
  }

  #findFirst(digests: readonly string[]): string | undefined {
    return digests.map((one) => this.find(one)).find((secret) => secret !== undefined)
  }

  #placeOf(key: string): number | undefined {
    const place = this.#places.get(key)
    return place === undefined && this.#others ? this.#others.#placeOf(key) : place
  }

  /** Lists the applications of a marketplace with their valid secrets, as far as they are known, in the order of the seed. */
  async listCredentials(reader: Reader, now: Date): Promise<SeedCredentials[]> {
    const grants = new Map<string, SeedCredentials['authorizations']>()
    for await (const { sellerId, applicationId, tokenDigests } of listGrants(reader)) {
      const refreshToken = this.#findFirst(tokenDigests)
      const own = grants.get(applicationId) ?? []
      own.push({ sellerId, ...(refreshToken !== undefined && { refreshToken }) })
      grants.set(applicationId, own)
    }
    const applications: RegisteredApplication[] = []
    for await (const application of listAllApplications(reader)) applications.push(application)
    const byPlace = <Item>(items: readonly Item[], toKey: (item: Item) => string) =>
      items
        .map((item) => ({ item, place: this.#placeOf(toKey(item)) ?? Number.MAX_SAFE_INTEGER }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item)
    return byPlace(applications, ({ applicationId }) => applicationId).map((application) => {
      const { applicationId, clientId } = application
      const clientSecret = this.#findFirst(validSecretDigests(application, now))
      const own = grants.get(applicationId) ?? []
      return {
        applicationId,
        clientId,
        ...(clientSecret !== undefined && { clientSecret }),
        authorizations: byPlace(own, ({ sellerId }) => keyOf({ sellerId, applicationId })),
      }
    })
  }
}

// After each page, other work of the process goes on: there may be 200,000 secrets, and a process with 200 forks.

/** Lists the applications of a marketplace. */
export async function* listAllApplications(reader: Reader): AsyncGenerator<RegisteredApplication> {
  for await (const page of pages((page) => listApplications(reader, page), ['applicationId'])) {
    yield* page
    await endOfTick()
  }
}

/** Lists the authorizations of a marketplace with their refresh tokens. */
export async function* listGrants(reader: Reader): AsyncGenerator<Grant> {
  for await (const page of pages((page) => listAuthorizations(reader, page), ['sellerId', 'applicationId'])) {
    const tokens = Map.groupBy(await listRefreshTokens(reader, page), keyOf)
    for (const { sellerId, applicationId } of page) {
      const own = tokens.get(keyOf({ sellerId, applicationId })) ?? []
      yield { sellerId, applicationId, tokenDigests: own.map(({ tokenDigest }) => tokenDigest) }
    }
    await endOfTick()
  }
}

const keyOf = ({ sellerId, applicationId }: Authorization) => `${sellerId} ${applicationId}`
