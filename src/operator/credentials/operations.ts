import {
  type Application,
  findApplication,
  findApplications,
  listApplications,
  type RegisteredApplication,
  upsertApplications,
} from '../../marketplace/accounts/applications.ts'
import {
  type Authorization,
  addAuthorizations,
  addRefreshTokens,
  CODE_LIFETIME_SECONDS,
  deleteAuthorization,
  deleteGrants,
  findAuthorization,
  findAuthorizations,
  issueAuthorizationCode,
  listAuthorizations,
} from '../../marketplace/accounts/authorizations.ts'
import { digest } from '../../platform/auth/digest.ts'
import { revokeDelegatedTokens, revokeSellerTokens, revokeSomeSellerTokens } from '../../platform/auth/token-store.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { inSteps } from '../../platform/sweeps.ts'
import { checkApplications, checkDelegatees, checkSellers, inBatch, refuse } from '../checks.ts'
import type { CredentialDependencies } from './dependencies.ts'
import { type ApplicationView, type AuthorizationView, renderApplication } from './resources.ts'

export type CredentialOperations = ReturnType<typeof createCredentialOperations>

/** Applications, their authorizations by sellers, and the credentials of both. */
export function createCredentialOperations(dependencies: CredentialDependencies) {
  const { database, clock, ids, signingSecret, clearTokenCache, dropNotifications, applicationQueues } = dependencies

  return {
    /** Creates credentials for new applications. Only this response contains the secrets. */
    async upsertApplications(applications: Application[]): Promise<ApplicationView[]> {
      const queues = applications.flatMap(({ applicationId, secretQueues }) =>
        Object.values(secretQueues ?? {}).map((queueArn) => ({ applicationId, queueArn })),
      )
      const { views, reducedDelegation } = await database.transact(async (tx) => {
        const existing = await findApplications(
          tx,
          applications.map((application) => application.applicationId),
        )
        const byId = new Map(existing.map((application) => [application.applicationId, application]))
        const written = applications.map((application) => {
          const before = byId.get(application.applicationId)
          return before ? { registered: replace(before, application) } : register(application)
        })
        refuse(await checkDelegatees(tx, inBatch('applications'), applications))
        await upsertApplications(
          tx,
          written.map(({ registered }) => registered),
        )
        await applicationQueues.registerQueues(tx, queues)
        const reducedDelegation = applications
          .filter((application) => isNarrower(application, byId))
          .map(({ applicationId }) => applicationId)
        await revokeDelegatedTokens(tx, reducedDelegation)
        return {
          views: written.map((one) => ('view' in one ? one.view : render(one.registered))),
          reducedDelegation,
        }
      })
      if (reducedDelegation.length > 0) clearTokenCache()
      await applicationQueues.prepareQueues(queues)
      return views
    },
    async findApplication({ applicationId }: Pick<Application, 'applicationId'>) {
      const application = await database.read((reader) => findApplication(reader, applicationId))
      return application && render(application)
    },
    async listApplications(page: PageRequest) {
      return (await database.read((reader) => listApplications(reader, page))).map(render)
    },

    /** Creates a refresh token for each new authorization. Only this response contains it. */
    async upsertAuthorizations(authorizations: Authorization[]): Promise<AuthorizationView[]> {
      return database.transact(async (tx) => {
        refuse(
          await checkSellers(tx, inBatch('authorizations'), authorizations),
          await checkApplications(tx, inBatch('authorizations'), authorizations),
        )
        const existing = await findAuthorizations(tx, authorizations)
        const known = new Set(existing.map(pairOf))
        const added = authorizations.filter((one) => !known.has(pairOf(one))).map(authorize)
        await addAuthorizations(tx, added, clock.now())
        await addRefreshTokens(
          tx,
          added.map(({ refreshToken, ...authorization }) => ({ ...authorization, tokenDigest: digest(refreshToken) })),
        )
        return [...existing, ...added]
      })
    },
    findAuthorization: (key: Authorization) => database.read((reader) => findAuthorization(reader, key)),
    listAuthorizations: (page: PageRequest) => database.read((reader) => listAuthorizations(reader, page)),

    async addRefreshToken({ sellerId, applicationId }: Authorization) {
      const refreshToken = ids.next('refreshToken')
      await database.transact(async (tx) => {
        await requireAuthorization(tx, { sellerId, applicationId })
        await addRefreshTokens(tx, [{ tokenDigest: digest(refreshToken), sellerId, applicationId }])
      })
      return { refreshToken }
    },

    async createAuthorizationCode({ sellerId, applicationId }: Authorization, redirectUri: string | null) {
      const code = ids.next('authorizationCode')
      await database.transact(async (tx) => {
        await requireAuthorization(tx, { sellerId, applicationId })
        await issueAuthorizationCode(tx, digest(code), { sellerId, applicationId, redirectUri }, clock.now())
      })
      return { code, expiresInSeconds: CODE_LIFETIME_SECONDS }
    },

    /** Tokens end first: what is on its way for the application may be much, and takes its time. */
    async revokeAuthorization(authorization: Authorization): Promise<void> {
      const { sellerId, applicationId } = authorization
      await database.transact(async (tx) => {
        if (!(await findAuthorization(tx, authorization))) throw notFound('authorization')
        await deleteGrants(tx, authorization)
      })
      await inSteps({ database }, (tx, limit) => revokeSomeSellerTokens(tx, authorization, limit))
      clearTokenCache()
      await dropNotifications(authorization)
      await database.transact(async (tx) => {
        await deleteAuthorization(tx, authorization)
        // Another process may have issued restricted data tokens meanwhile, for an access token that it had cached.
        await revokeSellerTokens(tx, applicationId, sellerId)
      })
      clearTokenCache()
    },
  }

  function render(application: RegisteredApplication): ApplicationView {
    return renderApplication(application, clock.now())
  }

  function register(application: Application): { registered: RegisteredApplication; view: ApplicationView } {
    const clientSecret = ids.next('clientSecret')
    const registered = {
      ...application,
      clientId: ids.next('client'),
      clientSecretDigest: digest(clientSecret),
      signingKeyId: ids.next('signingKey'),
    }
    const signingKey = {
      accessKeyId: registered.signingKeyId,
      secretAccessKey: signingSecret(registered.signingKeyId),
    }
    return { registered, view: { ...render(registered), clientSecret, signingKey } }
  }

  function authorize({ sellerId, applicationId }: Authorization) {
    return {
      sellerId,
      applicationId,
      authorizedAt: clock.now().toISOString(),
      refreshToken: ids.next('refreshToken'),
    }
  }
}

/** An upsert replaces the whole resource except credentials, so what the request omits is removed. */
function replace(
  {
    delegatees: _delegatees,
    roles: _roles,
    secretQueues: _queues,
    redirectUris: _uris,
    ...before
  }: RegisteredApplication,
  application: Application,
) {
  return { ...before, ...application }
}

/** Returns true if the application loses a delegatee. */
function isNarrower({ applicationId, delegatees = [] }: Application, before: Map<string, RegisteredApplication>) {
  return before.get(applicationId)?.delegatees?.some((delegatee) => !delegatees.includes(delegatee)) ?? false
}

const pairOf = ({ sellerId, applicationId }: Authorization) => `${sellerId} ${applicationId}`

const notFound = (what: string) => new ApiError('NotFound', `The ${what} was not found.`)

async function requireAuthorization(tx: Transaction, key: Authorization): Promise<void> {
  if (!(await findAuthorization(tx, key))) throw notFound('authorization')
}
