import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
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
    // Further pages would all be loaded again, too.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 && refetchInterval) || false,
    placeholderData: (previous, query) => (query && keepPrevious?.(query.queryKey) ? previous : undefined),
    ...options,
  })
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  return {
    data: items,
    error,
    isPending,
    refetch,
    /** For a `DataTable`. */
    more: {
      loadMore: hasNextPage ? () => void fetchNextPage() : undefined,
      isLoadingMore: isFetchingNextPage,
    },
  }
}
