import { queryOptions } from '@tanstack/react-query'
import { bodyOf, service } from './client.ts'
import { pollUntilFinal } from './processing.ts'

const loadFeed = (feedId: string) =>
  bodyOf(service.GET('/feeds/2021-06-30/feeds/{feedId}', { params: { path: { feedId } } }))

export type FeedData = Awaited<ReturnType<typeof loadFeed>>

export const feedQuery = (feedId: string) =>
  queryOptions({
    queryKey: ['feeds', 'one', feedId],
    queryFn: () => loadFeed(feedId),
    refetchInterval: pollUntilFinal,
  })
