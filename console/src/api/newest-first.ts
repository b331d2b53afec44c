import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isBeyondFirstPage, type ListPage, listStateOf } from './pages.ts'
import { isFinal, PROCESSING_POLL_MILLISECONDS } from './processing.ts'

interface Listed {
  createdTime: string
  processingStatus: string
}

interface NewestFirst<Item> {
  queryKey: QueryKey
  /** All types that the list has. */
  types: readonly string[]
  load(types: string[], nextToken: string | undefined): Promise<ListPage<Item>>
}

/** The service lists at most this many types per request. */
const MAX_TYPES = 10
/** Software and schedules add items at any time. */
const IDLE_POLL_MILLISECONDS = 15_000

/** Lists reports or feeds of any number of types, and follows them as long as only the first page is loaded. */
export function useNewestFirst<Item extends Listed>({ queryKey, types, load }: NewestFirst<Item>) {
  const groups: string[][] = []
  for (let start = 0; start < types.length; start += MAX_TYPES) groups.push(types.slice(start, start + MAX_TYPES))
  const query = useInfiniteQuery({
    queryKey: [...queryKey, groups],
    initialPageParam: groups.map((): string | null => ''),
    queryFn: ({ pageParam }) =>
      Promise.all(
        groups.map(async (group, index): Promise<ListPage<Item>> => {
          const token = pageParam[index]
          return token === null ? { items: [] } : load(group, token || undefined)
        }),
      ),
    getNextPageParam: (last) =>
      last.some(({ nextToken }) => nextToken) ? last.map(({ nextToken }) => nextToken ?? null) : undefined,
    refetchInterval: ({ state }) => {
      if (isBeyondFirstPage(state)) return false
      const items = state.data?.pages.flat().flatMap((page) => page.items) ?? []
      return items.every(({ processingStatus }) => isFinal(processingStatus))
        ? IDLE_POLL_MILLISECONDS
        : PROCESSING_POLL_MILLISECONDS
    },
  })
  const { data } = query
  return { data: useMemo(() => data && mergeNewestFirst(data.pages), [data]), ...listStateOf(query) }
}

/** Merges the lists of the groups, without what is older than something that was not loaded yet. */
export function mergeNewestFirst<Item extends Listed>(pages: readonly ListPage<Item>[][]): Item[] {
  const last = pages.at(-1) ?? []
  const oldestLoaded = last.map(({ items, nextToken }) =>
    nextToken ? Date.parse(items.at(-1)?.createdTime ?? '') : Number.NEGATIVE_INFINITY,
  )
  const floor = Math.max(Number.NEGATIVE_INFINITY, ...oldestLoaded.filter((time) => !Number.isNaN(time)))
  return pages
    .flat()
    .flatMap(({ items }) => items)
    .filter(({ createdTime }) => Date.parse(createdTime) >= floor)
    .sort((a, b) => Date.parse(b.createdTime) - Date.parse(a.createdTime))
}
