import { queryOptions } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import type { Selling } from '../../ui/for-seller.tsx'

export const listingQuery = (selling: Selling, sku: string) =>
  queryOptions({
    queryKey: ['listing', selling.sellerId, selling.marketplaceId, sku],
    queryFn: () => loadListing(selling, sku),
  })

const loadListing = ({ sellerId, marketplaceId }: Selling, sku: string) =>
  bodyOf(
    service.GET('/listings/2021-08-01/items/{sellerId}/{sku}', {
      params: {
        path: { sellerId, sku },
        query: {
          marketplaceIds: [marketplaceId],
          includedData: ['summaries', 'attributes', 'issues', 'offers', 'fulfillmentAvailability', 'productTypes'],
        },
      },
    }),
  )

export type Listing = Awaited<ReturnType<typeof loadListing>>
export type Issue = NonNullable<Listing['issues']>[number]
