import { ROLES } from '../../marketplace/accounts/applications.ts'
import type { Seller } from '../../marketplace/accounts/sellers.ts'

/** Names and credentials of the demo marketplace, which are public and equal on every machine. */
export const application = {
  applicationId: 'amzn1.sp.solution.50000000-de30-4000-8000-000000000001',
  name: 'Demo application',
  clientId: 'amzn1.application-oa2-client.50de30000000000000000000000000c1',
  clientSecret: 'amzn1.oa2-cs.v1.50de300000000000000000000000000000000000000000000000000000005ec1',
  signingKeyId: 'AKIASOUKDEMO00000001',
  roles: ROLES,
  redirectUris: ['http://localhost:3000/callback'],
} as const

export const US = 'ATVPDKIKX0DER'
export const DE = 'A1PA6795UKMFR9'

export const refreshTokens = {
  A1SOUKDEMOSELL: 'Atzr|souk-demo-refresh-token-of-the-demo-seller',
  A2SOUKOTHERSEL: 'Atzr|souk-demo-refresh-token-of-the-other-seller',
} as const

const participation = (marketplaceId: string, storeName: string) => ({
  marketplaceId,
  storeName,
  isParticipating: true,
  hasSuspendedListings: false,
})

export const demoSeller: Seller = {
  sellerId: 'A1SOUKDEMOSELL',
  businessType: 'PRIVATE_LIMITED',
  sellingPlan: 'PROFESSIONAL',
  business: {
    name: 'Bazaar Shoes Ltd',
    registeredBusinessAddress: {
      addressLine1: '1 Market Square',
      city: 'Seattle',
      stateOrProvinceCode: 'WA',
      postalCode: '98101',
      countryCode: 'US',
    },
  },
  primaryContact: {
    name: 'Amira Haddad',
    address: { addressLine1: '1 Market Square', city: 'Seattle', countryCode: 'US' },
  },
  participations: [participation(US, 'Bazaar Shoes'), participation(DE, 'Basar Schuhe')],
}

export const otherSeller: Seller = {
  sellerId: 'A2SOUKOTHERSEL',
  businessType: 'SOLE_PROPRIETORSHIP',
  sellingPlan: 'INDIVIDUAL',
  participations: [participation(US, 'The Stall Next Door')],
}

export const operatorKey = 'souk-dev-operator-key'
/** Derives the secret of the demo application's signing key. */
export const signingMasterSecret = 'souk-dev-signing-secret'
