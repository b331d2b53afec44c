import {
  type InfiniteData,
  type QueryKey,
  type QueryState,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'

export interface ListPage<Item> {
  items: readonly Item[]
  nextToken?: string | undefined
}

interface ListOptions {
  /** In milliseconds, while only the first page is loaded. */
  refetchInterval?: number
  enabled?: boolean
  /** Whether the items of a previous key stay until those of this key are there, as after a change of a filter. */
  keepPrevious?(previousKey: QueryKey): boolean
}

/** A list that the service returns in pages, loaded as far as the viewer has scrolled. */
export function useList<Item>(
  queryKey: QueryKey,
  fetchPage: (pageToken: string | undefined) => Promise<ListPage<Item>>,
  { refetchInterval, keepPrevious, ...options }: ListOptions = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextToken }) => nextToken,
    refetchInterval: ({ state }) => (state.data && !isBeyondFirstPage(state) && refetchInterval) || false,
    placeholderData: (previous, query) => (query && keepPrevious?.(query.queryKey) ? previous : undefined),
    ...options,
  })
  const { data } = query
  return { data: useMemo(() => data?.pages.flatMap((page) => page.items), [data]), ...listStateOf(query) }
}

/** Whether polling ends: further pages would all be loaded again, too, and one that failed would be tried each time. */
export const isBeyondFirstPage = ({ data, fetchMeta }: QueryState<InfiniteData<unknown, unknown>>): boolean =>
  (data !== undefined && data.pages.length > 1) || fetchMeta?.fetchMore?.direction === 'forward'

/** The part of a list that its items do not tell: for `Loaded`, and `more` for a `DataTable`. */
export function listStateOf(query: UseInfiniteQueryResult) {
  const { error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = query
  return {
    // That of a further page is shown where the page would be.
    error: isFetchNextPageError ? null : error,
    isPending,
    refetch,
    more: {
      loadMore: hasNextPage ? () => void fetchNextPage() : undefined,
      isLoadingMore: isFetchingNextPage,
      loadMoreError: isFetchNextPageError ? error : undefined,
    },
  }
}
