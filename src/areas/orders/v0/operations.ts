import { findMarketplaces } from '../../../marketplace/accounts/marketplaces.ts'
import { requireParticipation } from '../../../marketplace/accounts/participation.ts'
import type { Order } from '../../../marketplace/trade/order.ts'
import { searchOrders } from '../../../marketplace/trade/order-search.ts'
import {
  dataElementsOf,
  denied,
  mayReadPersonalData,
  type SellerCaller,
  withRestrictedToken,
} from '../../../platform/auth/caller.ts'
import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { invalidInput } from '../../../platform/errors/api-error.ts'
import { withoutFields } from '../../../platform/errors/explanation.ts'
import { createPageStateDecoder, encodePageState, requireSameQuery } from '../page-token.ts'
import { missingPeriod } from '../period.ts'
import { requireOrder, requireOrderAndChannel } from '../require-order.ts'
import { renderAddress, renderBuyer, renderItem, renderItemBuyer, renderOrder } from './render.ts'
import type {
  GetOrderAddressResponse,
  GetOrderBuyerInfoResponse,
  GetOrderItemsBuyerInfoResponse,
  GetOrderItemsResponse,
  GetOrderResponse,
  GetOrdersResponse,
  OrdersQuery,
} from './schema.ts'
import { OrdersFilter } from './schema.ts'
import { filterOf, PERIOD, parseFilter } from './search.ts'

export interface OrdersDependencies {
  database: Database
  clock: Clock
}

export const ORDERS_PATH = '/orders/v0/orders'
const ORDER_PATH = `${ORDERS_PATH}/{orderId}`
const ITEMS_PATH = `${ORDER_PATH}/orderItems`
const DEFAULT_PAGE_SIZE = 100
const decodePageState = createPageStateDecoder(OrdersFilter, 'NextToken')

export type OrdersV0Operations = ReturnType<typeof createOrdersV0Operations>

export function createOrdersV0Operations({ database, clock }: OrdersDependencies) {
  return {
    async getOrders(caller: SellerCaller, query: OrdersQuery): Promise<GetOrdersResponse> {
      const { sellerId } = caller
      const { NextToken: token, MaxResultsPerPage: pageSize = DEFAULT_PAGE_SIZE } = query
      const now = clock.now()
      const given = filterOf(query)
      const page = token ? decodePageState(sellerId, token, () => missingPeriod(given, PERIOD, now)) : undefined
      if (page) requireSameQuery(page.query, given, 'NextToken')
      const first = page?.query ?? given
      const filter = { ...parseFilter(first, now), ...(page && { to: page.to }) }
      return database.readLarge(async (reader) => {
        await requireParticipation(reader, sellerId, filter.marketplaceIds, 'MarketplaceIds')
        const { orders, next } = await searchOrders(reader, sellerId, filter, { after: page?.after, pageSize })
        const names = new Map(
          (await findMarketplaces(reader, filter.marketplaceIds)).map((one) => [one.marketplaceId, one.name]),
        )
        const elements = dataElementsOf(caller, { method: 'GET', operationPath: ORDERS_PATH, parameters: {} })
        const state = next && { query: first, to: filter.to, after: next, issuedAt: now.toISOString() }
        return {
          payload: {
            Orders: orders.map((order) => renderOrder(order, names.get(order.marketplaceId), elements)),
            ...(state && { NextToken: encodePageState(sellerId, state) }),
            [filter.by === 'purchased_at' ? 'CreatedBefore' : 'LastUpdatedBefore']: filter.to,
          },
        }
      })
    },

    async getOrder(caller: SellerCaller, orderId: string): Promise<GetOrderResponse> {
      return database.read(async (reader) => {
        const { order, salesChannel } = await requireOrderAndChannel(reader, caller, orderId, clock.now())
        return { payload: renderOrder(order, salesChannel, elementsOf(caller, ORDER_PATH, orderId)) }
      })
    },

    async getOrderItems(caller: SellerCaller, orderId: string, token?: string): Promise<GetOrderItemsResponse> {
      const order = await readOrder(caller, orderId)
      refusePage(token)
      const elements = elementsOf(caller, ITEMS_PATH, orderId)
      return {
        payload: { AmazonOrderId: orderId, OrderItems: order.items.map((item) => renderItem(order, item, elements)) },
      }
    },

    async getOrderBuyerInfo(caller: SellerCaller, orderId: string): Promise<GetOrderBuyerInfoResponse> {
      const order = await readPersonalData(caller, orderId)
      return { payload: { AmazonOrderId: orderId, ...renderBuyer(order) } }
    },

    async getOrderAddress(caller: SellerCaller, orderId: string): Promise<GetOrderAddressResponse> {
      const order = await readPersonalData(caller, orderId)
      const { buyer, deliveryPreferences } = order
      return {
        payload: {
          AmazonOrderId: orderId,
          BuyerCompanyName: buyer?.companyName ?? undefined,
          ShippingAddress: renderAddress(order),
          DeliveryPreferences: deliveryPreferences && {
            DropOffLocation: deliveryPreferences.dropOffLocation ?? undefined,
            AddressInstructions: deliveryPreferences.addressInstructions ?? undefined,
          },
        },
      }
    },

    async getOrderItemsBuyerInfo(
      caller: SellerCaller,
      orderId: string,
      token?: string,
    ): Promise<GetOrderItemsBuyerInfoResponse> {
      const order = await readPersonalData(caller, orderId)
      refusePage(token)
      const OrderItems = order.items.map((item) => ({
        OrderItemId: item.orderItemId,
        ...renderItemBuyer(order, item),
      }))
      return { payload: { AmazonOrderId: orderId, OrderItems } }
    },
  }

  function readOrder(caller: SellerCaller, orderId: string): Promise<Order> {
    return database.read((reader) => requireOrder(reader, caller, orderId, clock.now()))
  }

  function readPersonalData(caller: SellerCaller, orderId: string): Promise<Order> {
    requireRestrictedDataToken(caller)
    return readOrder(caller, orderId)
  }
}

/** Without the token the operation would have nothing to return. */
export function requireRestrictedDataToken(caller: SellerCaller): void {
  if (mayReadPersonalData(caller)) return
  throw denied(
    'This operation returns personal data of buyers: it requires a restricted data token.',
    'Get one from POST /tokens/2021-03-01/restrictedDataToken.',
    () => ({ facts: { kind: 'access token' }, change: withRestrictedToken() }),
  )
}

const elementsOf = (caller: SellerCaller, operationPath: string, orderId: string) =>
  dataElementsOf(caller, { method: 'GET', operationPath, parameters: { orderId } })

/** All items of an order fit into one page, so no token is ever issued. */
function refusePage(token: string | undefined): void {
  if (token) {
    const details = 'NextToken was not issued by this service to this seller.'
    throw invalidInput('NextToken', details, withoutFields('NextToken'))
  }
}
