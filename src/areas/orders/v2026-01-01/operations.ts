import { findRoles, ROLES, type Role } from '../../../marketplace/accounts/applications.ts'
import { findMarketplaces } from '../../../marketplace/accounts/marketplaces.ts'
import { listParticipations, requireParticipation } from '../../../marketplace/accounts/participation.ts'
import type { Order } from '../../../marketplace/trade/order.ts'
import { type OrderFilter, searchOrders } from '../../../marketplace/trade/order-search.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { invalidParameter } from '../../../platform/errors/api-error.ts'
import { hasWishes } from '../order-facts.ts'
import { createPageStateDecoder, encodePageState, requireSameQuery } from '../page-token.ts'
import { missingPeriod, type PeriodNames, parsePeriod } from '../period.ts'
import { requireOrder } from '../require-order.ts'
import { statusesOf } from './fulfillment-status.ts'
import { renderOrder } from './render.ts'
import type { SearchOrdersResponse, SearchQuery } from './schema.ts'
import { type GetOrderResponse, type IncludedData, type OrderBody, SearchFilter } from './schema.ts'

interface OrdersDependencies {
  database: Database
  clock: Clock
}

const DEFAULT_PAGE_SIZE = 100
const decodePageState = createPageStateDecoder(SearchFilter, 'paginationToken')
const TOKEN_LIFETIME_MILLISECONDS = 24 * 60 * 60 * 1000

const PERIOD = {
  createdAfter: 'createdAfter',
  createdBefore: 'createdBefore',
  updatedAfter: 'lastUpdatedAfter',
  updatedBefore: 'lastUpdatedBefore',
} as const satisfies PeriodNames<keyof SearchFilter>

// An application needs one of the roles to see the data.
const ROLES_BY_DATA: Partial<Record<IncludedData, readonly Role[]>> = {
  BUYER: ['TAX_INVOICING', 'TAX_REMITTANCE'],
  RECIPIENT: ['DIRECT_TO_CONSUMER_SHIPPING'],
}

const CHANNELS = { AMAZON: 'AFN', MERCHANT: 'MFN' } as const
const FILTER_NAMES = Object.keys(SearchFilter.properties) as (keyof SearchFilter)[]

export type OrdersOperations = ReturnType<typeof createOrdersOperations>

/** Version 2026-01-01: items come with the order, and roles of the application decide about personal data. */
export function createOrdersOperations({ database, clock }: OrdersDependencies) {
  return {
    async searchOrders(caller: SellerCaller, query: SearchQuery): Promise<SearchOrdersResponse> {
      const { sellerId } = caller
      const { paginationToken: token, maxResultsPerPage: pageSize = DEFAULT_PAGE_SIZE } = query
      const now = clock.now()
      const given = filterOf(query)
      const page = token ? decodePageState(sellerId, token, () => missingPeriod(given, PERIOD, now)) : undefined
      if (page && now.getTime() - Date.parse(page.issuedAt) > TOKEN_LIFETIME_MILLISECONDS) {
        throw invalidParameter('paginationToken', 'has expired: it is valid for 24 hours', () => ({
          facts: { issuedAt: page.issuedAt, now },
          change: { fields: { ...page.query, paginationToken: null } },
        }))
      }
      if (page) requireSameQuery(page.query, given, 'paginationToken')
      const first = page?.query ?? given
      const period = { ...parsePeriod(first, PERIOD, now), ...(page && { to: page.to }) }
      return database.readLarge(async (reader) => {
        const filter: OrderFilter = {
          ...period,
          marketplaceIds: await findMarketplaceIds(reader, sellerId, first.marketplaceIds),
          statuses: first.fulfillmentStatuses && statusesOf(first.fulfillmentStatuses),
          channels: first.fulfilledBy?.map((party) => CHANNELS[party]),
        }
        const { orders, next } = await searchOrders(reader, sellerId, filter, {
          after: page?.after,
          pageSize,
          packages: first.includedData?.includes('PACKAGES') ?? false,
        })
        const state = next && { query: first, to: filter.to, after: next, issuedAt: now.toISOString() }
        return {
          orders: await renderOrders(reader, caller, orders, first.includedData ?? []),
          ...(state && { pagination: { nextToken: encodePageState(sellerId, state) } }),
          [filter.by === 'purchased_at' ? 'createdBefore' : 'lastUpdatedBefore']: filter.to,
        }
      })
    },

    async getOrder(
      caller: SellerCaller,
      orderId: string,
      includedData: readonly IncludedData[] = [],
    ): Promise<GetOrderResponse> {
      return database.read(async (reader) => {
        const order = await requireOrder(reader, caller, orderId, clock.now(), {
          packages: includedData.includes('PACKAGES'),
        })
        const [rendered] = await renderOrders(reader, caller, [order], includedData)
        return { order: rendered as OrderBody }
      })
    },
  }
}

const filterOf = (query: SearchQuery): SearchFilter =>
  Object.fromEntries(FILTER_NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))

/** All of the seller's marketplaces unless some are named. */
export async function findMarketplaceIds(reader: Reader, sellerId: string, given: readonly string[] | undefined) {
  if (given) {
    await requireParticipation(reader, sellerId, given)
    return given
  }
  const participations = await listParticipations(reader, sellerId)
  return participations.filter((one) => one.isParticipating).map(({ marketplace }) => marketplace.marketplaceId)
}

/** Personal data that the application may not see is left out. */
export async function renderOrders(
  reader: Reader,
  { applicationId, isConsole }: SellerCaller,
  orders: readonly Order[],
  includedData: readonly IncludedData[],
): Promise<OrderBody[]> {
  const needsRoles = includedData.some((data) => ROLES_BY_DATA[data]) || orders.some(hasWishes)
  const roles = isConsole ? ROLES : needsRoles ? await findRoles(reader, applicationId) : []
  const included = new Set(
    includedData.filter((data) => ROLES_BY_DATA[data]?.some((role) => roles.includes(role)) ?? true),
  )
  const named = [...new Set(orders.map(({ marketplaceId }) => marketplaceId))]
  const names = new Map((await findMarketplaces(reader, named)).map((one) => [one.marketplaceId, one.name]))
  const showsWishes = roles.includes('DIRECT_TO_CONSUMER_SHIPPING')
  return orders.map((order) =>
    renderOrder(order, { included, showsWishes, marketplaceName: names.get(order.marketplaceId) }),
  )
}
