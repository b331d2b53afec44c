import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

export interface ListPage<Item> {
  items: readonly Item[]
  nextToken?: string | undefined
}

/** A list that the service returns in pages, loaded as far as the viewer has scrolled. */
export function useList<Item>(
  queryKey: QueryKey,
  fetchPage: (pageToken: string | undefined) => Promise<ListPage<Item>>,
  options: { refetchInterval?: number; enabled?: boolean } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextToken }) => nextToken,
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
