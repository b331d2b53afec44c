import { bodyOf, service } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import type { Selling } from '../../ui/for-seller.tsx'
import type { ListingsSearch } from './route.ts'

const PAGE_SIZE = 20

/** searchListingsItems returns no more than these, whatever the number of listings. */
export const MAX_FOUND = 1000

export type ListedItem = Awaited<ReturnType<typeof loadPage>>['items'][number]

export const useListings = (selling: Selling, search: ListingsSearch) =>
  useList(['listings', selling.sellerId, selling.marketplaceId, search], (token) => loadPage(selling, search, token), {
    refetchInterval: 10_000,
    keepPrevious: ([, sellerId]) => sellerId === selling.sellerId,
  })

async function loadPage({ sellerId, marketplaceId }: Selling, search: ListingsSearch, pageToken: string | undefined) {
  const { items, pagination } = await bodyOf(
    service.GET('/listings/2021-08-01/items/{sellerId}', {
      params: {
        path: { sellerId },
        query: {
          marketplaceIds: [marketplaceId],
          includedData: ['summaries', 'issues', 'offers', 'fulfillmentAvailability'],
          ...(search.identifier && { identifiers: [search.identifier], identifiersType: search.type ?? 'SKU' }),
          ...(search.state === 'BUYABLE' && { withStatus: ['BUYABLE'] }),
          ...(search.state === 'NOT_BUYABLE' && { withoutStatus: ['BUYABLE'] }),
          ...(search.state === 'NOT_DISCOVERABLE' && { withoutStatus: ['DISCOVERABLE'] }),
          ...(search.issues && { withIssueSeverity: [search.issues] }),
          sortBy: 'lastUpdatedDate',
          sortOrder: 'DESC',
          pageSize: PAGE_SIZE,
          pageToken,
        },
      },
    }),
  )
  return { items, nextToken: pagination?.nextToken }
}
