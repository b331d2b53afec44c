import { findApplication } from '../../marketplace/accounts/applications.ts'
import {
  addRefreshTokens,
  findAuthorization,
  findRefreshToken,
  takeAuthorizationCode,
} from '../../marketplace/accounts/authorizations.ts'
import { type Caller, denied, SCOPES, type SellerCaller, withToken } from '../../platform/auth/caller.ts'
import { digest } from '../../platform/auth/digest.ts'
import { storeToken, TOKEN_LIFETIME_SECONDS } from '../../platform/auth/token-store.ts'
import type { Transaction } from '../../platform/database/port.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import { type Explanation, neverPasses, withoutFields } from '../../platform/errors/explanation.ts'
import { OAuthError } from '../../platform/errors/oauth-error.ts'
import type { Ids } from '../../platform/ids/port.ts'
import { rankSimilar } from '../../platform/similar-words.ts'
import {
  type AuthenticatedClient,
  type AuthenticationDependencies,
  createClientAuthentication,
} from './client-authentication.ts'
import { type IssuedToken, RecentTokens } from './recent-tokens.ts'
import { parseResource } from './restricted-operations.ts'
import type { RestrictedDataTokenRequest, RestrictedDataTokenResponse, TokenRequest, TokenResponse } from './schema.ts'

export interface TokensDependencies extends AuthenticationDependencies {
  ids: Ids
}

export type TokenOperations = ReturnType<typeof createTokenOperations>

interface Client extends AuthenticatedClient {
  refreshTokenDigest: string | null
  /** By which a recent token is found again. */
  grant: string
  recentToken: IssuedToken | undefined
}

export function createTokenOperations(dependencies: TokensDependencies) {
  const { database, clock, ids, digestSecret = digest } = dependencies
  const authenticateClient = createClientAuthentication(dependencies)
  const recent = new RecentTokens(clock)
  const grants: Record<string, (client: Client, request: TokenRequest) => Promise<TokenResponse>> = {
    refresh_token: refresh,
    client_credentials: grantless,
    authorization_code: exchangeCode,
  }

  return {
    async createToken(request: TokenRequest, address: string): Promise<TokenResponse> {
      const grantType = requireParameter(request, 'grant_type')
      const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined
      if (!grant) {
        const known = Object.keys(grants).join(', ')
        throw new OAuthError('unsupported_grant_type', `The grant type is not one of ${known}.`, {
          explain: () => explainChoice('grant_type', grantType, Object.keys(grants)),
        })
      }
      if (request.refresh_token !== undefined && request.scope !== undefined) {
        throw new OAuthError('invalid_request', 'Send either refresh_token or scope, not both.', {
          explain: () => ({
            facts: { grant_type: grantType, sent: Object.keys(request) },
            change: { body: { [grantType === 'client_credentials' ? 'refresh_token' : 'scope']: null } },
          }),
        })
      }
      const clientId = requireParameter(request, 'client_id')
      const clientSecretDigest = digestSecret(requireParameter(request, 'client_secret'))
      const refreshTokenDigest = request.refresh_token ? digestSecret(request.refresh_token) : null
      const key = refreshTokenDigest ?? [clientId, ...scopesOf(request).toSorted()].join(' ')
      const recentToken = recent.find(key)
      const client = await authenticateClient({
        client: { clientId, refreshTokenDigest, recentTokenDigest: recentToken?.tokenDigest ?? null },
        clientSecretDigest,
        address,
      })
      return grant({ ...client, refreshTokenDigest, grant: key, recentToken }, request)
    },

    async createRestrictedDataToken(
      { sellerId, applicationId, isConsole }: SellerCaller,
      { restrictedResources, targetApplication = applicationId }: RestrictedDataTokenRequest,
    ): Promise<RestrictedDataTokenResponse> {
      if (isConsole) {
        const explain = neverPasses('Call the operations as they are: the console of a seller sees everything.')
        throw denied('The console needs no restricted data token.', undefined, explain)
      }
      const restrictedTo = restrictedResources.map(parseResource)
      const restrictedDataToken = ids.next('restrictedDataToken')
      const caller: SellerCaller = { kind: 'seller', applicationId: targetApplication, sellerId, restrictedTo }
      await database.transact(async (tx) => {
        // The access token may have been verified before a revocation, here or in another process. A token issued now
        // would outlive it.
        if (!(await findAuthorization(tx, { sellerId, applicationId }))) {
          const first = 'Have the seller authorize the application again, and get a token with the new refresh token'
          throw denied('The authorization is revoked.', undefined, () => ({
            facts: { sellerId, applicationId },
            change: withToken(first),
          }))
        }
        if (targetApplication === applicationId) return store(tx, digest(restrictedDataToken), caller)
        await requireDelegatee(tx, applicationId, targetApplication)
        return store(tx, digest(restrictedDataToken), caller, applicationId)
      })
      return { restrictedDataToken, expiresIn: TOKEN_LIFETIME_SECONDS }
    },
  }

  async function refresh(client: Client, request: TokenRequest): Promise<TokenResponse> {
    const { applicationId, refreshTokenDigest } = client
    const refreshToken = requireParameter(request, 'refresh_token')
    const invalid = () => invalidGrant('refresh_token', explainRefreshToken(refreshToken))
    if (client.sellerId === undefined || refreshTokenDigest === null) throw invalid()
    const issued = await issueOrReuse(client, async (tx) => {
      // It may have been revoked since.
      const authorization = await findRefreshToken(tx, refreshTokenDigest)
      if (authorization?.applicationId !== applicationId) throw invalid()
      return { kind: 'seller', ...authorization }
    })
    return { ...bearer(issued), refresh_token: refreshToken }
  }

  async function grantless(client: Client, request: TokenRequest): Promise<TokenResponse> {
    const { applicationId } = client
    requireParameter(request, 'scope')
    const scopes = scopesOf(request)
    const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
    if (unknown !== undefined || scopes.length === 0) {
      throw new OAuthError('invalid_scope', `The scope is not one of ${SCOPES.join(', ')}.`, {
        explain: () => explainChoice('scope', unknown ?? '', SCOPES),
      })
    }
    const issued = await issueOrReuse(client, async () => ({ kind: 'grantless', applicationId, scopes }))
    return { ...bearer(issued), scope: scopes.join(' ') }
  }

  async function exchangeCode({ applicationId }: Client, request: TokenRequest): Promise<TokenResponse> {
    const codeDigest = digest(requireParameter(request, 'code'))
    const response = await database.transact(async (tx) => {
      const code = await takeAuthorizationCode(tx, codeDigest)
      const usable =
        code &&
        code.applicationId === applicationId &&
        code.expiresAt > clock.now() &&
        // Some clients omit redirect_uri; if present, it must be the one the code was issued for.
        (request.redirect_uri === undefined || code.redirectUri === null || request.redirect_uri === code.redirectUri)
      // Returned, not thrown, so that the transaction commits: a failed attempt uses up the code.
      if (!usable) return undefined
      const { sellerId } = code
      const refreshToken = ids.next('refreshToken')
      await addRefreshTokens(tx, [{ tokenDigest: digest(refreshToken), sellerId, applicationId }])
      const issued = await issue(tx, { kind: 'seller', applicationId, sellerId })
      return { ...bearer(issued), refresh_token: refreshToken }
    })
    if (!response)
      throw invalidGrant('code', 'The code is unknown, expired, already used, or issued to another application.')
    return response
  }

  /** Issues a token for a valid grant, or returns the token recently issued for it. */
  async function issueOrReuse(
    { applicationId, grant, recentToken, recentTokenExpiresAt }: Client,
    findCaller: (tx: Transaction) => Promise<Caller>,
  ): Promise<IssuedToken> {
    if (recentToken?.applicationId === applicationId && isValid(recentTokenExpiresAt)) return recentToken
    const issued = await database.transact(async (tx) => issue(tx, await findCaller(tx)))
    recent.add(grant, issued)
    return issued
  }

  /** Whether no process has revoked the token, or had it expire early. */
  function isValid(expiresAt: string | undefined): boolean {
    return expiresAt !== undefined && Date.parse(expiresAt) > clock.now().getTime()
  }

  async function issue(tx: Transaction, caller: Caller): Promise<IssuedToken> {
    const accessToken = ids.next('accessToken')
    const tokenDigest = digest(accessToken)
    await store(tx, tokenDigest, caller)
    return { accessToken, tokenDigest, applicationId: caller.applicationId, issuedAt: clock.now() }
  }

  function bearer({ accessToken, issuedAt }: IssuedToken) {
    const ageSeconds = Math.ceil((clock.now().getTime() - issuedAt.getTime()) / 1000)
    return { access_token: accessToken, token_type: 'bearer', expires_in: TOKEN_LIFETIME_SECONDS - ageSeconds } as const
  }

  function store(tx: Transaction, tokenDigest: string, caller: Caller, delegatorId?: string): Promise<void> {
    const expiresAt = new Date(clock.now().getTime() + TOKEN_LIFETIME_SECONDS * 1000)
    return storeToken(tx, tokenDigest, { caller, expiresAt, ...(delegatorId !== undefined && { delegatorId }) })
  }
}

/** An unknown application gets the same error as one that is not a delegatee. */
async function requireDelegatee(tx: Transaction, applicationId: string, targetApplication: string): Promise<void> {
  const application = await findApplication(tx, applicationId)
  if (application?.delegatees?.includes(targetApplication)) return
  throw invalidParameter(
    'targetApplication',
    'is not a delegatee of your application',
    withoutFields('targetApplication'),
  )
}

const scopesOf = ({ scope = '' }: TokenRequest) => [...new Set(scope.split(' ').filter(Boolean))]

function requireParameter(request: TokenRequest, name: keyof TokenRequest): string {
  const value = request[name]
  if (!value)
    throw new OAuthError('invalid_request', `The request is missing the parameter ${name}.`, {
      explain: () => ({
        rule: `A request for a token with this grant type has the parameter ${name}.`,
        facts: { sent: Object.keys(request), missing: name },
        change: { body: { [name]: EXAMPLES[name] ?? `<${name}>` } },
      }),
    })
  return value
}

// Clients use the text after the colon to distinguish a revoked authorization from a bad code.
const invalidGrant = (parameter: string, reason: string) =>
  new OAuthError('invalid_grant', `The request has an invalid grant parameter : ${parameter}`, {
    reason,
    explain: () => ({
      rule: `The ${parameter} must be one that this marketplace issued to this application and did not revoke. A code is valid once, for five minutes.`,
      facts: { parameter, reason },
      change: {
        body: { [parameter]: `<a valid ${parameter}>` },
        first:
          'Use the refresh token that the seller has authorized, or have the seller authorize the application again.',
      },
    }),
  })

const EXAMPLES: { readonly [Name in keyof TokenRequest]?: string } = {
  grant_type: 'refresh_token',
  scope: SCOPES[0],
}

/** The nearest value of a parameter that has a few. */
function explainChoice(parameter: string, sent: string, allowed: readonly string[]): Explanation {
  const nearest = rankSimilar(sent, allowed)[0]?.candidate
  return {
    rule: `The parameter ${parameter} has one of a few values.`,
    facts: { sent, allowed },
    ...(nearest !== undefined && { change: { body: { [parameter]: nearest } } }),
  }
}

const explainRefreshToken = (token: string) =>
  token.startsWith('Atza|')
    ? 'This is an access token, which begins with Atza. A refresh token begins with Atzr.'
    : 'The refresh token is unknown, revoked, or issued to another application.'
