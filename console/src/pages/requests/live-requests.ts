import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { type StreamState, useEventStream } from '../../api/event-stream.ts'
import type { RequestFilter, RequestSummary } from '../../api/request-log.ts'
import { addArrived, addPage, MAX_REQUESTS } from './request-window.ts'

const PAGE_SIZE = 200
/** More than anybody reads, and few enough that watching does not slow the service down. */
const MAX_PER_SECOND = 500

type Streamed = RequestSummary | { count: number }

interface LogState {
  rows: readonly RequestSummary[]
  /** What arrived while the list was held. */
  waiting: readonly RequestSummary[]
  nextCursor?: string | undefined
  dropped: number
}

interface LogPage {
  requests: RequestSummary[]
  nextCursor?: string | undefined
  dropped: number
}

type LogChange =
  | { kind: 'arrived'; requests: RequestSummary[]; isHeld: boolean }
  | { kind: 'page'; page: LogPage; isOlder: boolean }
  | { kind: 'released' }
  | { kind: 'cleared' }

const EMPTY: LogState = { rows: [], waiting: [], dropped: 0 }

function change(state: LogState, event: LogChange): LogState {
  switch (event.kind) {
    case 'arrived':
      return event.isHeld
        ? { ...state, waiting: addArrived(state.waiting, event.requests) }
        : { ...state, rows: addArrived(state.rows, event.requests) }
    case 'page': {
      const { requests, nextCursor, dropped } = event.page
      // Of the first page, the cursor counts only as long as no older page was loaded.
      const isFurther = event.isOlder || state.rows.length <= PAGE_SIZE
      const rows = addPage(state.rows, requests)
      return { ...state, rows, dropped, nextCursor: isFurther ? nextCursor : state.nextCursor }
    }
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
  const { data } = first
  useEffect(() => {
    if (data) dispatch({ kind: 'page', page: data, isOlder: false })
  }, [data])

  const { refetch } = first
  const query = new URLSearchParams({ ...filter, maxPerSecond: String(MAX_PER_SECOND) })
  const stream = useEventStream<Streamed>(`/_souk/requests/stream?${query}`, {
    events: ['request', 'skipped'],
    onBatch: (batch) => {
      const requests = batch.filter((event) => 'id' in event)
      dispatch({ kind: 'arrived', requests, isHeld })
      // Not all of them came, so the log itself has the latest.
      if (requests.length < batch.length && !isHeld) void refetch()
    },
  })
  useEffect(() => {
    if (!isHeld) dispatch({ kind: 'released' })
  }, [isHeld])
  const wasLost = useWasLost(stream.state)
  useEffect(() => {
    if (wasLost && stream.state === 'open') void refetch()
  }, [wasLost, stream.state, refetch])

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

/** Whether the stream was interrupted, so that requests may be missing. */
function useWasLost(stream: StreamState): boolean {
  const [wasLost, setWasLost] = useState(false)
  useEffect(() => {
    if (stream === 'lost' || stream === 'closed') setWasLost(true)
  }, [stream])
  return wasLost
}
