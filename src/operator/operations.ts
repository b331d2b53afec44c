import {
  type Application,
  findApplication,
  findApplications,
  listApplications,
  type RegisteredApplication,
  upsertApplications,
} from '../marketplace/applications.ts'
import {
  type Authorization,
  addAuthorizationCode,
  addAuthorizations,
  addRefreshTokens,
  findAuthorization,
  findAuthorizations,
  listAuthorizations,
  removeAuthorization,
} from '../marketplace/authorizations.ts'
import { type Feedback, findFeedback, listFeedback, upsertFeedback } from '../marketplace/feedback.ts'
import { findMarketplace, listMarketplaces, type Marketplace, upsertMarketplaces } from '../marketplace/marketplaces.ts'
import { orderChanges } from '../marketplace/order-changes.ts'
import { findOrder, findOrders, listOrders, type Order, upsertOrders } from '../marketplace/orders.ts'
import { findReturn, listReturns, type Return, upsertReturns } from '../marketplace/returns.ts'
import { findAccountStatuses, findSeller, listSellers, type Seller, upsertSellers } from '../marketplace/sellers.ts'
import { digest } from '../platform/auth/digest.ts'
import { revokeSellerTokens } from '../platform/auth/token-store.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database, Transaction } from '../platform/database/port.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { Outbox } from '../platform/outbox/outbox.ts'
import type { PageRequest } from '../platform/paging.ts'
import {
  refuseRepeatedItems,
  requireApplications,
  requireMarketplaces,
  requireOrderedItems,
  requireOrders,
  requireParticipatedMarketplaces,
  requireSellers,
} from './checks.ts'
import { accountStatusChanges } from './events.ts'
import { type ShownApplication, type ShownAuthorization, showApplication } from './facts.ts'

export interface OperatorDependencies {
  database: Database
  clock: Clock
  ids: Ids
  outbox: Outbox
  /** The secret half of an application's signing key. */
  signingSecret(accessKeyId: string): string
  /** Called after a revocation, so that no token outlives it in memory. */
  forgetTokens(): void
}

/** A page of what sellers have, or of what one of them has. */
type SellersPage = PageRequest & { sellerId?: string }

export type OperatorOperations = ReturnType<typeof createOperatorOperations>

const CODE_LIFETIME_SECONDS = 300

export function createOperatorOperations(dependencies: OperatorDependencies) {
  const { database, clock, ids, outbox, signingSecret, forgetTokens } = dependencies

  return {
    async upsertMarketplaces(marketplaces: Marketplace[]) {
      await database.transact((tx) => upsertMarketplaces(tx, marketplaces))
      return marketplaces.map(({ marketplaceId }) => ({ marketplaceId }))
    },
    findMarketplace: ({ marketplaceId }: Pick<Marketplace, 'marketplaceId'>) =>
      database.read((reader) => findMarketplace(reader, marketplaceId)),
    listMarketplaces: (page: PageRequest) => database.read((reader) => listMarketplaces(reader, page)),

    async upsertSellers(sellers: Seller[]) {
      await database.transact(async (tx) => {
        await requireParticipatedMarketplaces(tx, sellers)
        const sellerIds = sellers.map(({ sellerId }) => sellerId)
        const before = await findAccountStatuses(tx, sellerIds)
        await upsertSellers(tx, sellers)
        await outbox.append(tx, accountStatusChanges(before, sellers, clock.now()))
      })
      return sellers.map(({ sellerId }) => ({ sellerId }))
    },
    findSeller: ({ sellerId }: Pick<Seller, 'sellerId'>) => database.read((reader) => findSeller(reader, sellerId)),
    listSellers: (page: PageRequest) => database.read((reader) => listSellers(reader, page)),

    /** New applications get their credentials here; the secrets are in this answer and in no other. */
    async upsertApplications(applications: Application[]): Promise<ShownApplication[]> {
      return database.transact(async (tx) => {
        const existing = await findApplications(
          tx,
          applications.map((application) => application.applicationId),
        )
        const byId = new Map(existing.map((application) => [application.applicationId, application]))
        const written = applications.map((application) => {
          const before = byId.get(application.applicationId)
          return before ? { registered: { ...before, ...application } } : register(application)
        })
        await upsertApplications(
          tx,
          written.map(({ registered }) => registered),
        )
        return written.map((one) => ('shown' in one ? one.shown : showApplication(one.registered)))
      })
    },
    async findApplication({ applicationId }: Pick<Application, 'applicationId'>) {
      const application = await database.read((reader) => findApplication(reader, applicationId))
      return application && showApplication(application)
    },
    async listApplications(page: PageRequest) {
      return (await database.read((reader) => listApplications(reader, page))).map(showApplication)
    },
    async rotateClientSecret(applicationId: string) {
      const clientSecret = ids.next('clientSecret')
      await database.transact(async (tx) => {
        const application = await findApplication(tx, applicationId)
        if (!application) throw notFound('application')
        await upsertApplications(tx, [{ ...application, clientSecretDigest: digest(clientSecret) }])
      })
      return { applicationId, clientSecret }
    },

    /** A new authorisation comes with its first refresh token, in this answer and in no other. */
    async upsertAuthorizations(authorizations: Authorization[]): Promise<ShownAuthorization[]> {
      return database.transact(async (tx) => {
        await requireSellers(tx, 'authorizations', authorizations)
        await requireApplications(tx, authorizations)
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
        const expiresAt = new Date(clock.now().getTime() + CODE_LIFETIME_SECONDS * 1000)
        await addAuthorizationCode(tx, digest(code), { sellerId, applicationId, redirectUri, expiresAt })
      })
      return { code, expiresInSeconds: CODE_LIFETIME_SECONDS }
    },

    async revokeAuthorization({ sellerId, applicationId }: Authorization): Promise<void> {
      await database.transact(async (tx) => {
        if (!(await removeAuthorization(tx, { sellerId, applicationId }))) throw notFound('authorization')
        await revokeSellerTokens(tx, applicationId, sellerId)
      })
      forgetTokens()
    },

    async upsertOrders(orders: Order[]) {
      await database.transact(async (tx) => {
        await requireSellers(tx, 'orders', orders)
        await requireMarketplaces(tx, 'orders', orders)
        refuseRepeatedItems('orders', orders)
        const before = await findOrders(tx, orders)
        await upsertOrders(tx, orders, clock.now())
        // Read again: times are written in many ways, and stored in one.
        await outbox.append(tx, orderChanges(before, await findOrders(tx, orders), clock.now()))
      })
      return orders.map(({ sellerId, orderId }) => ({ sellerId, orderId }))
    },
    findOrder: (key: Pick<Order, 'sellerId' | 'orderId'>) => database.read((reader) => findOrder(reader, key)),
    listOrders: (page: SellersPage) => database.read((reader) => listOrders(reader, page)),

    async upsertReturns(returns: Return[]) {
      await database.transact(async (tx) => {
        await requireSellers(tx, 'returns', returns)
        const orders = await requireOrders(tx, 'returns', returns)
        refuseRepeatedItems('returns', returns)
        requireOrderedItems('returns', returns, orders)
        await upsertReturns(tx, returns)
      })
      return returns.map(({ sellerId, rmaId }) => ({ sellerId, rmaId }))
    },
    findReturn: (key: Pick<Return, 'sellerId' | 'rmaId'>) => database.read((reader) => findReturn(reader, key)),
    listReturns: (page: SellersPage) => database.read((reader) => listReturns(reader, page)),

    async upsertFeedback(feedback: Feedback[]) {
      await database.transact(async (tx) => {
        await requireSellers(tx, 'feedback', feedback)
        await requireOrders(tx, 'feedback', feedback)
        await upsertFeedback(tx, feedback)
      })
      return feedback.map(({ sellerId, orderId }) => ({ sellerId, orderId }))
    },
    findFeedback: (key: Pick<Feedback, 'sellerId' | 'orderId'>) => database.read((reader) => findFeedback(reader, key)),
    listFeedback: (page: SellersPage) => database.read((reader) => listFeedback(reader, page)),
  }

  function register(application: Application): { registered: RegisteredApplication; shown: ShownApplication } {
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
    return { registered, shown: { ...showApplication(registered), clientSecret, signingKey } }
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

const pairOf = ({ sellerId, applicationId }: Authorization) => `${sellerId} ${applicationId}`

const notFound = (what: string) => new ApiError('NotFound', `There is no such ${what}.`)

async function requireAuthorization(tx: Transaction, key: Authorization): Promise<void> {
  if (!(await findAuthorization(tx, key))) throw notFound('authorization')
}
