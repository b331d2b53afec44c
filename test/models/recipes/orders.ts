import type { Market } from '../market.ts'
import { orderTimes, type Recipes, remove } from './recipe.ts'

const DATES = ['2026-05-01T00:00:00Z', '2026-05-20T12:30:00Z', '2026-05-25']
const STATUSES = ['Pending', 'Unshipped', 'PartiallyShipped', 'Shipped', 'Canceled']
const PERIOD = ['CreatedAfter', 'CreatedBefore', 'LastUpdatedAfter', 'LastUpdatedBefore']

let ordersMade = 0

/** Has the operator write an order with one item of five pieces. Returns its id. */
async function placeOrder({ souk, demo }: Market, overrides: object): Promise<string> {
  const orderId = `960-0000000-${String(++ordersMade).padStart(7, '0')}`
  const order = {
    sellerId: demo.sellerId,
    orderId,
    marketplaceId: demo.marketplaceId,
    status: 'Unshipped',
    fulfillmentChannel: 'MFN',
    takesStock: false,
    purchasedAt: '2026-05-20T00:00:00Z',
    currencyCode: 'USD',
    items: [{ orderItemId: '1', sku: 'SKU', asin: 'B0SOUK0001', title: 'Shoe', quantity: 5, priceMinor: 100 }],
    ...overrides,
  }
  const response = await souk.inject({
    method: 'PUT',
    url: '/operator/v1/orders',
    headers: { authorization: `Bearer ${demo.operatorKey}` },
    payload: { orders: [order] },
  })
  if (response.statusCode !== 200) throw new Error(response.body)
  return orderId
}

const regulatedInfo = {
  fields: [{ id: 'pet', label: 'Name of the pet', type: 'Text', value: 'Rex' }],
  rejectionReasons: [{ id: 'R1', description: 'No prescription' }],
}

type Fields = Record<string, unknown>

/** The two periods exclude each other, and one is required. A token stands for the whole query. */
function combinePeriods(query: Fields, kept: string, token: string, names: readonly string[]): boolean {
  const [createdAfter = '', createdBefore = '', updatedAfter = '', updatedBefore = ''] = names
  if (kept === token) return true
  remove(query, token)
  const isUpdated = kept === updatedAfter || kept === updatedBefore
  remove(query, ...(isUpdated ? [createdAfter, createdBefore] : [updatedAfter, updatedBefore]))
  const [from, until] = isUpdated ? [updatedAfter, updatedBefore] : [createdAfter, createdBefore]
  query[from] ??= DATES[0]
  orderTimes(query, from, until)
  return false
}

const ofOrder: Recipes[string] = { sources: ({ demo }) => ({ orderId: demo.orders.eligible }) }

export const orderRecipes: Recipes = {
  getOrders: {
    async sources(market) {
      const path = `/orders/v0/orders?MarketplaceIds=${market.demo.marketplaceId}&CreatedAfter=2026-05-01&MaxResultsPerPage=1`
      const { payload } = (await market.call('GET', path)) as { payload: { NextToken: string } }
      return {
        MarketplaceIds: [market.demo.marketplaceId],
        ...Object.fromEntries(PERIOD.map((name) => [name, DATES])),
        EarliestDeliveryDateBefore: DATES,
        EarliestDeliveryDateAfter: DATES,
        LatestDeliveryDateBefore: DATES,
        LatestDeliveryDateAfter: DATES,
        OrderStatuses: STATUSES,
        FulfillmentChannels: ['AFN', 'MFN'],
        PaymentMethods: ['COD', 'CVS', 'Other'],
        EasyShipShipmentStatuses: ['PendingSchedule', 'Delivered'],
        ElectronicInvoiceStatuses: ['NotRequired', 'Accepted'],
        AmazonOrderIds: market.demo.orders.eligible,
        MaxResultsPerPage: [1, 50, 100],
        NextToken: [payload.NextToken],
      }
    },
    combine({ query }, kept) {
      if (combinePeriods(query, kept, 'NextToken', PERIOD)) {
        for (const name of Object.keys(query))
          if (name !== 'NextToken' && name !== 'MarketplaceIds') remove(query, name)
        return
      }
      if (kept === 'SellerOrderId') {
        remove(query, 'FulfillmentChannels', 'OrderStatuses', 'PaymentMethods', 'BuyerEmail')
      } else remove(query, 'SellerOrderId')
      orderTimes(query, 'EarliestDeliveryDateAfter', 'EarliestDeliveryDateBefore')
      orderTimes(query, 'LatestDeliveryDateAfter', 'LatestDeliveryDateBefore')
    },
  },
  getOrder: ofOrder,
  getOrderBuyerInfo: ofOrder,
  getOrderAddress: ofOrder,
  getOrderItems: { ...ofOrder, combine: ({ query }) => remove(query, 'NextToken') },
  getOrderItemsBuyerInfo: { ...ofOrder, combine: ({ query }) => remove(query, 'NextToken') },
  getOrderRegulatedInfo: {
    sources: async (market) => ({ orderId: [await placeOrder(market, { regulatedInfo })] }),
  },
  updateVerificationStatus: {
    sources: () => ({ rejectionReasonId: ['R1'] }),
    combine({ body }) {
      const { regulatedOrderVerificationStatus: given } = body as { regulatedOrderVerificationStatus?: Fields }
      if (!given) return
      if (given.status === 'Rejected') given.rejectionReasonId = 'R1'
      else remove(given, 'rejectionReasonId')
    },
    async renew(request, market) {
      request.path.orderId = await placeOrder(market, { regulatedInfo })
    },
  },
  updateShipmentStatus: {
    sources: () => ({ orderItemId: ['1'], quantity: [1] }),
    combine({ body }, kept) {
      const fields = body as Fields
      if (fields.shipmentStatus === 'RefusedPickup') {
        if (kept === 'orderItems') fields.shipmentStatus = 'PickedUp'
        else remove(fields, 'orderItems')
      }
      if (Array.isArray(fields.orderItems)) fields.orderItems = [{ orderItemId: '1', quantity: 1 }]
    },
    async renew(request, market) {
      request.path.orderId = await placeOrder(market, { isPickup: true })
    },
  },
  confirmShipment: {
    sources: () => ({
      packageReferenceId: ['1', '2'],
      carrierCode: ['UPS', 'DHL'],
      shipDate: ['2026-05-30T10:00:00Z'],
      orderItemId: ['1'],
      quantity: [1, 2],
    }),
    combine({ body }) {
      const { packageDetail } = body as { packageDetail?: Fields }
      if (packageDetail && Array.isArray(packageDetail.orderItems)) packageDetail.orderItems.splice(1)
    },
    async renew(request, market) {
      request.path.orderId = await placeOrder(market, {})
    },
  },
  searchOrders: {
    async sources(market) {
      const path = '/orders/2026-01-01/orders?createdAfter=2026-05-01&maxResultsPerPage=1'
      const { pagination } = (await market.call('GET', path)) as { pagination: { nextToken: string } }
      const names = ['createdAfter', 'createdBefore', 'lastUpdatedAfter', 'lastUpdatedBefore']
      return {
        ...Object.fromEntries(names.map((name) => [name, DATES.slice(0, 2)])),
        maxResultsPerPage: [1, 50, 100],
        paginationToken: [pagination.nextToken],
      }
    },
    combine({ query }, kept) {
      const names = ['createdAfter', 'createdBefore', 'lastUpdatedAfter', 'lastUpdatedBefore']
      if (!combinePeriods(query, kept, 'paginationToken', names)) return
      for (const name of Object.keys(query)) if (name !== 'paginationToken') remove(query, name)
    },
  },
}
