import { findApplication, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import {
  addAuthorizations,
  findAuthorization,
  issueAuthorizationCode,
} from '../../marketplace/accounts/authorizations.ts'
import { denied, type SellerCaller } from '../../platform/auth/caller.ts'
import { digest } from '../../platform/auth/digest.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError, invalidInput } from '../../platform/errors/api-error.ts'
import { neverPasses } from '../../platform/errors/explanation.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { Consent, ConsentBody, ConsentQuery, ConsentResult } from './schema.ts'

export interface ConsentDependencies {
  database: Database
  clock: Clock
  ids: Ids
}

export type ConsentOperations = ReturnType<typeof createConsentOperations>

/** Has sellers authorize applications. */
export function createConsentOperations({ database, clock, ids }: ConsentDependencies) {
  return {
    async getConsent(caller: SellerCaller, query: ConsentQuery): Promise<Consent> {
      const sellerId = requireConsole(caller)
      const { application_id: applicationId, redirect_uri: given } = query
      return database.read(async (reader) => {
        const application = await requireApplication(reader, applicationId)
        const authorization = await findAuthorization(reader, { sellerId, applicationId })
        return {
          applicationId,
          name: application.name,
          roles: application.roles ?? [],
          redirectUri: requireRedirectUri(application, given, 'redirect_uri').uri,
          isAuthorized: authorization !== undefined,
        }
      })
    },

    async createConsent(
      caller: SellerCaller,
      { applicationId, redirectUri, state }: ConsentBody,
    ): Promise<ConsentResult> {
      const sellerId = requireConsole(caller)
      const code = ids.next('authorizationCode')
      const now = clock.now()
      const address = await database.transact(async (tx) => {
        const application = await requireApplication(tx, applicationId)
        const { uri, url } = requireRedirectUri(application, redirectUri, 'redirectUri')
        const authorization = { sellerId, applicationId }
        if (!(await findAuthorization(tx, authorization))) await addAuthorizations(tx, [authorization], now)
        await issueAuthorizationCode(tx, digest(code), { ...authorization, redirectUri: uri }, now)
        return url
      })
      address.searchParams.set('state', state)
      address.searchParams.set('selling_partner_id', sellerId)
      address.searchParams.set('spapi_oauth_code', code)
      return { redirectTo: address.href }
    },
  }
}

/** An application with a seller's token must not authorize others. */
function requireConsole({ isConsole, sellerId }: SellerCaller): string {
  if (isConsole) return sellerId
  throw denied(
    'Only a seller can authorize an application, in the console.',
    undefined,
    neverPasses('Sign in to the console as the seller.', { isConsole: false }),
  )
}

async function requireApplication(reader: Reader, applicationId: string): Promise<RegisteredApplication> {
  const application = await findApplication(reader, applicationId)
  if (application) return application
  throw new ApiError('NotFound', 'The application was not found.', `There is no application ${applicationId}.`)
}

/**
 * A code must reach no address but one that is known to be the application's. Compared as text: a part of it is not
 * enough.
 */
function requireRedirectUri({ redirectUris = [] }: RegisteredApplication, given: string | undefined, place: string) {
  const uri = given === undefined ? redirectUris[0] : redirectUris.find((one) => one === given)
  const url = uri === undefined ? null : URL.parse(uri)
  if (uri !== undefined && url) return { uri, url }
  throw invalidInput(
    place,
    redirectUris.length === 0
      ? 'The application has no redirectUris, which the operator registers.'
      : 'It is not one of the redirectUris of the application.',
  )
}
