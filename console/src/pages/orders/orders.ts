import { bodyOf, service } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import type { Selling } from '../../ui/for-seller.tsx'
import type { OrdersSearch } from './route.ts'

const REFRESH_MILLISECONDS = 10_000

export type ListedOrder = Awaited<ReturnType<typeof loadPage>>['items'][number]

export const useOrders = (selling: Selling, search: OrdersSearch) =>
  useList(['orders', selling.sellerId, selling.marketplaceId, search], (token) => loadPage(selling, search, token), {
    refetchInterval: REFRESH_MILLISECONDS,
    keepPrevious: ([, sellerId]) => sellerId === selling.sellerId,
  })

async function loadPage({ marketplaceId }: Selling, search: OrdersSearch, pageToken: string | undefined) {
  const { orders, nextToken } = await bodyOf(
    service.GET('/console/v1/orders', {
      params: {
        query: {
          marketplaceIds: [marketplaceId],
          fulfillmentStatuses: search.status,
          createdAfter: search.from && startOf(search.from),
          createdBefore: search.to && endOf(search.to),
          orderId: search.orderId,
          pageToken,
        },
      },
    }),
  )
  return { items: orders, nextToken }
}

/** Days are those of the viewer. */
const startOf = (day: string) => new Date(`${day}T00:00:00`).toISOString()
const endOf = (day: string) => new Date(`${day}T23:59:59.999`).toISOString()
