import { queryOptions } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'

const INCLUDED = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'PAYMENT',
] as const

export const orderQuery = (sellerId: string, orderId: string) =>
  queryOptions({ queryKey: ['order', sellerId, orderId], queryFn: () => loadOrder(orderId) })

export type OrderView = Awaited<ReturnType<typeof loadOrder>>
export type Order = OrderView['order']
export type OrderHistory = OrderView['history']
export type ReviewRequest = OrderView['review']

/** The order, what happened to it, and its review request. */
async function loadOrder(orderId: string) {
  const [{ order }, history] = await Promise.all([
    bodyOf(
      service.GET('/orders/2026-01-01/orders/{orderId}', {
        params: { path: { orderId }, query: { includedData: [...INCLUDED] } },
      }),
    ),
    bodyOf(service.GET('/console/v1/orders/{orderId}', { params: { path: { orderId } } })),
  ])
  const review = await bodyOf(
    service.GET('/console/v1/orders/{amazonOrderId}/reviewRequest', {
      params: { path: { amazonOrderId: orderId }, query: { marketplaceIds: [history.marketplaceId] } },
    }),
  )
  return { order, history, review }
}
