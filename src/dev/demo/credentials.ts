import { type RegisteredApplication, replaceSecrets } from '../../marketplace/accounts/applications.ts'
import { addRefreshTokens, deleteGrants, findAuthorization } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { revokeApplicationTokens } from '../../platform/auth/token-store.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import { application, demoSeller, operatorKey, otherSeller, refreshTokens } from './identities.ts'

/** The secrets of a demo marketplace. */
export interface DemoCredentials {
  clientSecret: string
  refreshToken: string
  otherRefreshToken: string
  operatorKey: string
}

/** Equal on every machine. */
export const publicCredentials: DemoCredentials = {
  clientSecret: application.clientSecret,
  refreshToken: refreshTokens.A1SOUKDEMOSELL,
  otherRefreshToken: refreshTokens.A2SOUKOTHERSEL,
  operatorKey,
}

/** For a marketplace beside another: a client that mixes up their addresses is refused. */
export const newCredentials = (ids: Ids): DemoCredentials => ({
  clientSecret: ids.next('clientSecret'),
  refreshToken: ids.next('refreshToken'),
  otherRefreshToken: ids.next('refreshToken'),
  operatorKey: ids.next('clientSecret'),
})

/**
 * Replaces the credentials of a demo marketplace. Everything else stays as it is: the application may have been changed, and
 * authorizations revoked.
 */
export async function replaceCredentials(tx: Transaction, credentials: DemoCredentials): Promise<void> {
  const { applicationId } = application
  if (!(await replaceSecrets(tx, applicationId, digest(credentials.clientSecret)))) return
  await revokeApplicationTokens(tx, applicationId)
  const sellers = [
    { applicationId, sellerId: demoSeller.sellerId, tokenDigest: digest(credentials.refreshToken) },
    { applicationId, sellerId: otherSeller.sellerId, tokenDigest: digest(credentials.otherRefreshToken) },
  ]
  for (const seller of sellers) {
    await deleteGrants(tx, seller)
    if (await findAuthorization(tx, seller)) await addRefreshTokens(tx, [seller])
  }
}

export function applicationWith({ clientSecret }: DemoCredentials): RegisteredApplication {
  const { clientSecret: _, roles, redirectUris, ...rest } = application
  return { ...rest, roles: [...roles], redirectUris: [...redirectUris], clientSecretDigest: digest(clientSecret) }
}
