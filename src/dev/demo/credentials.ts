import type { RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { digest } from '../../platform/auth/digest.ts'
import type { Ids } from '../../platform/ids/port.ts'
import { application, operatorKey, refreshTokens } from './identities.ts'

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

export function applicationWith({ clientSecret }: DemoCredentials): RegisteredApplication {
  const { clientSecret: _, roles, redirectUris, ...rest } = application
  return { ...rest, roles: [...roles], redirectUris: [...redirectUris], clientSecretDigest: digest(clientSecret) }
}
