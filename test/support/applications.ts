import { putResources } from './seller-client.ts'
import { NOTIFICATIONS, type TestSouk } from './souk.ts'

export type TestApplication = Awaited<ReturnType<typeof registerApplication>>

interface Registration {
  /** The sellers that authorize it. */
  sellerIds?: readonly string[]
  delegatees?: readonly string[]
  secretQueues?: { newSecret?: string; secretExpiry?: string }
}

/** Registers another application through the operator API. */
export async function registerApplication(
  souk: TestSouk,
  applicationId: string,
  { sellerIds = [], ...settings }: Registration = {},
) {
  const [{ clientId, clientSecret, signingKey }] = await putResources(souk, 'applications', [
    { applicationId, name: applicationId, ...settings },
  ])
  const refreshTokens = new Map<string, string>()
  for (const sellerId of sellerIds) {
    const [{ refreshToken }] = await putResources(souk, 'authorizations', [{ sellerId, applicationId }])
    refreshTokens.set(sellerId, refreshToken)
  }
  const ask = async (fields: object): Promise<string> => {
    const payload = { client_id: clientId, client_secret: clientSecret, ...fields }
    return (await souk.post('/auth/o2/token', { payload })).json().access_token
  }
  return {
    applicationId,
    clientId: clientId as string,
    clientSecret: clientSecret as string,
    signingKey: signingKey as { accessKeyId: string; secretAccessKey: string },
    refreshTokenOf: (sellerId: string) => refreshTokens.get(sellerId) as string,
    sellerToken: (sellerId: string) =>
      ask({ grant_type: 'refresh_token', refresh_token: refreshTokens.get(sellerId) as string }),
    grantlessToken: (scope = NOTIFICATIONS) => ask({ grant_type: 'client_credentials', scope }),
  }
}

/** Revokes the authorization of a seller. */
export const revoke = (souk: TestSouk, sellerId: string, applicationId: string) =>
  souk.delete(`/operator/v1/authorizations/${sellerId}/${applicationId}`, { headers: souk.operator })
