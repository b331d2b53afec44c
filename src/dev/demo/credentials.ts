import { type RegisteredApplication, upsertApplications } from '../../marketplace/accounts/applications.ts'
import { addRefreshTokens, deleteGrants } from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
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

/** Replaces the credentials of a demo marketplace. */
export async function writeCredentials(tx: Transaction, credentials: DemoCredentials): Promise<void> {
  await upsertApplications(tx, [applicationWith(credentials)])
  const { applicationId } = application
  for (const { sellerId } of [demoSeller, otherSeller]) await deleteGrants(tx, { applicationId, sellerId })
  await addRefreshTokens(tx, [
    { applicationId, sellerId: demoSeller.sellerId, tokenDigest: digest(credentials.refreshToken) },
    { applicationId, sellerId: otherSeller.sellerId, tokenDigest: digest(credentials.otherRefreshToken) },
  ])
}

export function applicationWith({ clientSecret }: DemoCredentials): RegisteredApplication {
  const { clientSecret: _, roles, redirectUris, ...rest } = application
  return { ...rest, roles: [...roles], redirectUris: [...redirectUris], clientSecretDigest: digest(clientSecret) }
}
