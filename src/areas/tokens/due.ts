import { findExpiringCodes } from '../../marketplace/accounts/authorizations.ts'
import { findExpiringTokens } from '../../platform/auth/token-store.ts'
import type { DueSource } from '../../platform/due.ts'

export const tokenDue: DueSource[] = [
  {
    areTokens: true,
    async find(reader, after, limit) {
      const tokens = await findExpiringTokens(reader, after, limit)
      return tokens.map(({ digest, expiresAt, applicationId, sellerId }) => ({
        kind: 'accessTokenExpiry',
        time: expiresAt,
        id: digest,
        description: `An access token of the application ${applicationId}${sellerId ? ` for the seller ${sellerId}` : ''} expires`,
      }))
    },
  },
  {
    async find(reader, after, limit) {
      const codes = await findExpiringCodes(reader, after, limit)
      return codes.map(({ digest, expiresAt, applicationId, sellerId }) => ({
        kind: 'authorizationCodeExpiry',
        time: expiresAt,
        id: digest,
        description: `An authorization code of the application ${applicationId} for the seller ${sellerId} expires`,
      }))
    },
  },
]
