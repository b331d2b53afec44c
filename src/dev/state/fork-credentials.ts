import {
  type RegisteredApplication,
  replaceSecrets,
  validSecretDigests,
} from '../../marketplace/accounts/applications.ts'
import { addRefreshTokens, deleteGrants } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { revokeApplicationTokens } from '../../platform/auth/token-store.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { Demo } from '../demo/demo.ts'
import { type DemoCredentials, demoApplications, demoWith } from '../demo/index.ts'
import { type Grant, KnownSecrets, listAllApplications, listGrants } from '../seed/known-secrets.ts'
import type { SeedCredentials } from '../seed/public.ts'

/** What a client of a fork needs. */
export interface ForkCredentials {
  /** Absent if they are not valid in the content of the fork. */
  demo?: Demo
  applications: SeedCredentials[]
  operatorKey: string
}

/**
 * The credentials of a fork. The demo application has new ones, so that a client that mixes up addresses is refused.
 * Others keep theirs, which clients may hold. If this process does not know them, the fork has secrets of its own, too,
 * that stand for theirs: the rows stay as they are, so rotations, expiry and revocations apply to both.
 */
export class CredentialsOfFork {
  readonly #ids: Ids
  readonly #demo: DemoCredentials
  readonly #ofSeeds: KnownSecrets
  readonly #known: KnownSecrets
  /** By application, and by application and seller. */
  readonly #demoSecrets: ReadonlyMap<string, string>
  /** By the same. A reset gives the same ones again. */
  readonly #own: Map<string, string>
  /** The digests that own secrets stand for, by the digests of these. */
  readonly #standsFor = new Map<string, string>()

  constructor({ ids, demo, ofSeeds }: { ids: Ids; demo: DemoCredentials; ofSeeds: KnownSecrets }) {
    this.#ids = ids
    this.#demo = demo
    this.#ofSeeds = ofSeeds
    this.#known = new KnownSecrets(ofSeeds)
    const applications = demoApplications(demo)
    this.#known.add(applications)
    this.#demoSecrets = new Map(applications.flatMap(secretsOf))
    this.#own = new Map(this.#demoSecrets)
  }

  /** The stored digest that a secret stands for. */
  digestOf(secret: string): string {
    const ownDigest = digest(secret)
    return this.#standsFor.get(ownDigest) ?? ownDigest
  }

  /** Gives the applications of the current content credentials that this fork can list. */
  async issue(tx: Transaction, now: Date): Promise<void> {
    for await (const application of listAllApplications(tx)) await this.#issueSecret(tx, application, now)
    for await (const grant of listGrants(tx)) await this.#issueToken(tx, grant)
  }

  async #issueSecret(tx: Transaction, application: RegisteredApplication, now: Date): Promise<void> {
    const { applicationId } = application
    const [valid] = validSecretDigests(application, now)
    if (valid !== undefined && this.#ofSeeds.find(valid) !== undefined) return
    const own = this.#ownSecret(applicationId, 'clientSecret')
    const isDemo = this.#demoSecrets.has(applicationId)
    if (!isDemo && valid !== undefined) return this.#standIn(own, valid)
    await replaceSecrets(tx, applicationId, digest(own))
    this.#known.set(digest(own), own)
    if (isDemo) await revokeApplicationTokens(tx, applicationId)
  }

  async #issueToken(tx: Transaction, { sellerId, applicationId, tokenDigests }: Grant): Promise<void> {
    if (tokenDigests.some((one) => this.#ofSeeds.find(one) !== undefined)) return
    const key = keyOf(applicationId, sellerId)
    const own = this.#ownSecret(key, 'refreshToken')
    const [first] = tokenDigests
    if (!this.#demoSecrets.has(key) && first !== undefined) return this.#standIn(own, first)
    await deleteGrants(tx, { applicationId, sellerId })
    await addRefreshTokens(tx, [{ applicationId, sellerId, tokenDigest: digest(own) }])
    this.#known.set(digest(own), own)
  }

  #standIn(own: string, storedDigest: string): void {
    this.#standsFor.set(digest(own), storedDigest)
    this.#known.set(storedDigest, own)
  }

  #ownSecret(key: string, kind: 'clientSecret' | 'refreshToken'): string {
    const own = this.#own.get(key) ?? this.#ids.next(kind)
    this.#own.set(key, own)
    return own
  }

  /** Those that are valid in the current content. */
  async list(reader: Reader, now: Date): Promise<ForkCredentials> {
    const applications = await this.#known.listCredentials(reader, now)
    const valid = new Map(applications.flatMap(secretsOf))
    const hasDemo = demoApplications(this.#demo)
      .flatMap(secretsOf)
      .every(([key, secret]) => valid.get(key) === secret)
    return { ...(hasDemo && { demo: demoWith(this.#demo) }), applications, operatorKey: this.#demo.operatorKey }
  }
}

const keyOf = (applicationId: string, sellerId: string) => `${applicationId} ${sellerId}`

const secretsOf = ({ applicationId, clientSecret, authorizations }: SeedCredentials): [string, string][] =>
  [
    [applicationId, clientSecret] as const,
    ...authorizations.map(({ sellerId, refreshToken }) => [keyOf(applicationId, sellerId), refreshToken] as const),
  ].filter((entry): entry is [string, string] => entry[1] !== undefined)
