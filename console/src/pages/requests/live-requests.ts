import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { useEventStream } from '../../api/event-stream.ts'
import type { RequestFilter, RequestSummary } from '../../api/request-log.ts'
import { addArrived, addPage, MAX_REQUESTS, startWithPage } from './request-window.ts'

const PAGE_SIZE = 200
/** More than anybody reads, and few enough that watching does not slow the service down. */
const MAX_PER_SECOND = 100
/** After the last request that was skipped: during a burst, what is loaded would be outdated when it is shown. */
const RELOAD_AFTER_MILLISECONDS = 1_000

type Streamed = RequestSummary | { count: number }

interface LogState {
  rows: readonly RequestSummary[]
  /** What arrived while the list was held. */
  waiting: readonly RequestSummary[]
  /** How many were skipped because they came too fast, since the first page was loaded. */
  skipped: number
  /** Whether requests may be missing: they were skipped, or the stream was interrupted. */
  hasGaps: boolean
  nextCursor?: string | undefined
  dropped: number
}

interface LogPage {
  requests: RequestSummary[]
  nextCursor?: string | undefined
  dropped: number
}

type LogChange =
  | { kind: 'arrived'; requests: RequestSummary[]; skipped: number; isHeld: boolean }
  | { kind: 'page'; page: LogPage; isOlder: boolean }
  | { kind: 'interrupted' }
  | { kind: 'released' }
  | { kind: 'cleared' }

const EMPTY: LogState = { rows: [], waiting: [], skipped: 0, hasGaps: false, dropped: 0 }

function change(state: LogState, event: LogChange): LogState {
  switch (event.kind) {
    case 'arrived': {
      const { requests, isHeld } = event
      const skipped = state.skipped + event.skipped
      const counted = { ...state, skipped, hasGaps: state.hasGaps || event.skipped > 0 }
      return isHeld
        ? { ...counted, waiting: addArrived(state.waiting, requests) }
        : { ...counted, rows: addArrived(state.rows, requests) }
    }
    case 'page': {
      const { requests, nextCursor, dropped } = event.page
      if (event.isOlder) return { ...state, rows: addPage(state.rows, requests), dropped, nextCursor }
      const rows = startWithPage(state.rows, requests, nextCursor !== undefined)
      return { ...state, rows, dropped, nextCursor, skipped: 0, hasGaps: false }
    }
    case 'interrupted':
      return { ...state, hasGaps: true }
    case 'released':
      return { ...state, rows: addArrived(state.rows, [...state.waiting].reverse()), waiting: [] }
    case 'cleared':
      return EMPTY
  }
}

/** The last requests that match, and those that arrive while it is shown. Remount it for another filter. */
export function useLiveRequests(filter: RequestFilter, isHeld: boolean) {
  const [state, dispatch] = useReducer(change, EMPTY)
  const [isLoadingMore, setIsLoadingMore] = useState(false)
  const [loadMoreError, setLoadMoreError] = useState<unknown>()
  const first = useQuery({
    queryKey: ['requests', filter],
    queryFn: () => loadPage(filter),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data, dataUpdatedAt, refetch } = first
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log can have the same requests as before
  useEffect(() => {
    if (data) dispatch({ kind: 'page', page: data, isOlder: false })
  }, [data, dataUpdatedAt])

  const query = new URLSearchParams({ ...filter, maxPerSecond: String(MAX_PER_SECOND) })
  const stream = useEventStream<Streamed>(`/_souk/requests/stream?${query}`, {
    events: ['request', 'skipped'],
    onBatch: (batch) => {
      const requests = batch.filter((event) => 'id' in event)
      const skipped = batch.reduce((sum, event) => ('count' in event ? sum + event.count : sum), 0)
      dispatch({ kind: 'arrived', requests, skipped, isHeld })
    },
  })
  useEffect(() => {
    if (!isHeld) dispatch({ kind: 'released' })
  }, [isHeld])
  useEffect(() => {
    if (stream.state === 'lost' || stream.state === 'closed') dispatch({ kind: 'interrupted' })
  }, [stream.state])
  const { hasGaps, skipped } = state
  useEffect(() => {
    if (!hasGaps || isHeld || stream.state !== 'open') return
    const timer = setTimeout(() => void refetch(), skipped > 0 ? RELOAD_AFTER_MILLISECONDS : 0)
    return () => clearTimeout(timer)
  }, [hasGaps, skipped, isHeld, stream.state, refetch])

  const { nextCursor, rows } = state
  const loadMore = useCallback(() => {
    setIsLoadingMore(true)
    setLoadMoreError(undefined)
    loadPage(filter, nextCursor)
      .then((page) => dispatch({ kind: 'page', page, isOlder: true }), setLoadMoreError)
      .finally(() => setIsLoadingMore(false))
  }, [filter, nextCursor])
  const hasMore = nextCursor !== undefined && rows.length < MAX_REQUESTS
  const empty = () => dispatch({ kind: 'cleared' })
  const more = { loadMore: hasMore ? loadMore : undefined, isLoadingMore, loadMoreError }
  return { ...state, first, stream: stream.state, connect: stream.connect, empty, more }
}

const loadPage = (filter: RequestFilter, cursor?: string): Promise<LogPage> =>
  bodyOf(
    controlPlane.GET('/_souk/requests', {
      params: { query: { ...filter, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) } },
    }),
  )
