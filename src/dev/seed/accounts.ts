import type { RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import type { Authorization } from '../../marketplace/accounts/authorizations.ts'
import type { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import type { Seller } from '../../marketplace/accounts/sellers.ts'
import { findDefinitionViolation, type ProductTypeDefinition } from '../../marketplace/product-types/index.ts'
import { toStoredTime } from '../../marketplace/schema.ts'
import { digest } from '../../platform/auth/digest.ts'
import { publicMarketplaces } from '../demo/marketplaces.ts'
import { derivedClientId, derivedClientSecret, derivedRefreshToken, derivedSigningKeyId } from './derived.ts'
import type { Reading } from './reading.ts'
import type { Seed } from './schema.ts'

export interface SeededAuthorization extends Authorization {
  authorizedAt: string
  /** Only if the seed has it, or it follows from the ids. */
  refreshToken?: string
  tokenDigests: string[]
}

export interface SeededApplication extends RegisteredApplication {
  /** Only if the seed has it, or it follows from the id. */
  clientSecret?: string
}

export interface Accounts {
  marketplaces: readonly Marketplace[]
  productTypes: readonly ProductTypeDefinition[]
  sellers: Seller[]
  applications: SeededApplication[]
  authorizations: SeededAuthorization[]
}

export function readAccounts(reading: Reading): Accounts {
  const marketplaces = readMarketplaces(reading)
  const { productTypes = [], sellers = [], applications = [] } = reading.seed
  for (const [index, definition] of productTypes.entries()) {
    const path = `productTypes[${index}]`
    reading.claim('productType', [definition.name], path)
    const violation = findDefinitionViolation(definition)
    if (violation) reading.refuse(violation.path ? `${path}.${violation.path}` : path, violation.reason)
  }
  const readSellers = sellers.map((seller, index) => readSeller(reading, seller, `sellers[${index}]`))
  const sellerIds = new Set(readSellers.map(({ sellerId }) => sellerId))
  const applicationIds = new Set(applications.map(({ applicationId }) => applicationId))
  return {
    marketplaces,
    productTypes,
    sellers: readSellers,
    applications: applications.map((one, index) =>
      readApplication(reading, one, `applications[${index}]`, applicationIds),
    ),
    authorizations: applications.flatMap((one, index) =>
      (one.authorizations ?? []).map((authorization, position) =>
        readAuthorization(reading, one, authorization, `applications[${index}].authorizations[${position}]`, sellerIds),
      ),
    ),
  }
}

function readMarketplaces(reading: Reading): readonly Marketplace[] {
  const { marketplaces = publicMarketplaces } = reading.seed
  const read = marketplaces.flatMap((one, index) => {
    const path = `marketplaces[${index}]`
    const found = typeof one === 'string' ? publicMarketplaces.find(({ marketplaceId }) => marketplaceId === one) : one
    if (!found) {
      reading.refuse(path, `${one} is not a public marketplace; give its name, country, currency, language and domain`)
      return []
    }
    reading.claim('marketplace', [found.marketplaceId], path)
    return [found]
  })
  for (const one of read) reading.marketplaces.set(one.marketplaceId, one)
  return read
}

type SeedSeller = NonNullable<Seed['sellers']>[number]

function readSeller(reading: Reading, seller: SeedSeller, path: string): Seller {
  reading.claim('seller', [seller.sellerId], path)
  return {
    ...seller,
    businessType: seller.businessType ?? 'PRIVATE_LIMITED',
    sellingPlan: seller.sellingPlan ?? 'PROFESSIONAL',
    participations: seller.participations.map((one, index) => {
      const given = typeof one === 'string' ? { marketplaceId: one } : one
      const place = `${path}.participations[${index}]`
      reading.requireMarketplace(typeof one === 'string' ? place : `${place}.marketplaceId`, given.marketplaceId)
      reading.claim('participation', [seller.sellerId, given.marketplaceId], place)
      return { storeName: seller.sellerId, isParticipating: true, hasSuspendedListings: false, ...given }
    }),
  }
}

type SeedApplication = NonNullable<Seed['applications']>[number]

function readApplication(
  reading: Reading,
  { authorizations: _, ...seed }: SeedApplication,
  path: string,
  applicationIds: ReadonlySet<string>,
): SeededApplication {
  const { applicationId, clientSecretDigest, clientSecretExpiresAt, previousClientSecret, previousSigningKey } = seed
  const clientId = seed.clientId ?? derivedClientId(applicationId)
  const signingKeyId = seed.signingKeyId ?? derivedSigningKeyId(applicationId)
  reading.claim('application', [applicationId], path)
  reading.claim('client', [clientId], `${path}.clientId`)
  reading.claim('signingKey', [signingKeyId], `${path}.signingKeyId`)
  if (seed.clientSecret !== undefined && clientSecretDigest !== undefined) {
    reading.refuse(`${path}.clientSecretDigest`, 'must not be combined with clientSecret')
  }
  for (const [index, delegatee] of (seed.delegatees ?? []).entries()) {
    if (!applicationIds.has(delegatee))
      reading.refuse(`${path}.delegatees[${index}]`, `there is no application ${delegatee}`)
  }
  const { delegatees, roles, redirectUris, secretQueues } = seed
  const clientSecret =
    clientSecretDigest === undefined ? (seed.clientSecret ?? derivedClientSecret(applicationId)) : undefined
  return {
    applicationId,
    name: seed.name ?? applicationId,
    ...(delegatees && { delegatees }),
    ...(roles && { roles }),
    ...(redirectUris && { redirectUris }),
    ...(secretQueues && { secretQueues }),
    clientId,
    signingKeyId,
    clientSecretDigest: clientSecretDigest ?? digest(clientSecret ?? ''),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(clientSecretExpiresAt !== undefined && { clientSecretExpiresAt: dateOf(clientSecretExpiresAt) }),
    ...(previousClientSecret && {
      previousSecret: {
        digest: previousClientSecret.digest,
        endsAt: dateOf(previousClientSecret.endsAt),
        ...(previousClientSecret.expiresAt !== undefined && { expiresAt: dateOf(previousClientSecret.expiresAt) }),
      },
    }),
    ...(previousSigningKey && {
      previousSigningKey: { keyId: previousSigningKey.keyId, endsAt: dateOf(previousSigningKey.endsAt) },
    }),
  }
}

export const dateOf = (text: string): Date => new Date(toStoredTime(text))

function readAuthorization(
  reading: Reading,
  { applicationId }: SeedApplication,
  seed: NonNullable<SeedApplication['authorizations']>[number],
  path: string,
  sellerIds: ReadonlySet<string>,
): SeededAuthorization {
  const given = typeof seed === 'string' ? { sellerId: seed } : seed
  const { sellerId, authorizedAt, refreshTokenDigests = [] } = given
  if (!sellerIds.has(sellerId)) {
    reading.refuse(
      typeof seed === 'string' ? path : `${path}.sellerId`,
      `there is no seller ${sellerId}; add it to sellers`,
    )
  }
  reading.claim('authorization', [sellerId, applicationId], path)
  const isDerived = given.refreshToken === undefined && given.refreshTokenDigests === undefined
  const refreshToken = isDerived ? derivedRefreshToken(applicationId, sellerId) : given.refreshToken
  const tokenDigests = [...(refreshToken === undefined ? [] : [digest(refreshToken)]), ...refreshTokenDigests]
  for (const one of tokenDigests) {
    reading.claim('refreshToken', [one], `${path}.refreshToken`, 'is the refresh token of another authorization')
  }
  return {
    sellerId,
    applicationId,
    authorizedAt: authorizedAt === undefined ? reading.now.toISOString() : toStoredTime(authorizedAt),
    ...(refreshToken !== undefined && { refreshToken }),
    tokenDigests,
  }
}
