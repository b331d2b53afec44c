import { queryOptions } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import type { Selling } from '../../ui/for-seller.tsx'

const REFRESH_MILLISECONDS = 10_000

export const offersQuery = ({ sellerId, marketplaceId }: Selling, asin: string) =>
  queryOptions({
    queryKey: ['product', asin, marketplaceId, 'offers', sellerId],
    queryFn: () => loadOffers(asin, marketplaceId),
    refetchInterval: REFRESH_MILLISECONDS,
  })

const loadOffers = (asin: string, marketplaceId: string) =>
  bodyOf(service.GET('/console/v1/products/{asin}/offers', { params: { path: { asin }, query: { marketplaceId } } }))

export type ProductOffers = Awaited<ReturnType<typeof loadOffers>>
export type Offer = ProductOffers['offers'][number]

export const catalogQuery = ({ marketplaceId }: Selling, asin: string) =>
  queryOptions({
    queryKey: ['product', asin, marketplaceId, 'catalog'],
    queryFn: () =>
      bodyOf(
        service.GET('/catalog/2022-04-01/items/{asin}', {
          params: {
            path: { asin },
            query: { marketplaceIds: [marketplaceId], includedData: ['summaries', 'images', 'attributes'] },
          },
        }),
      ),
  })
