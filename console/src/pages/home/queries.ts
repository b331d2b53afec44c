import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { clockQuery } from '../../api/clock.ts'
import { sessionQuery } from '../../api/session.ts'

const POLL_MILLISECONDS = 5_000
const DUE_SHOWN = 10

export const dueQuery = queryOptions({
  queryKey: ['clock', 'due'],
  queryFn: () => bodyOf(controlPlane.GET('/_souk/clock/due', { params: { query: { limit: DUE_SHOWN } } })),
  refetchInterval: POLL_MILLISECONDS,
})

export const lifeQuery = queryOptions({
  queryKey: ['life'],
  queryFn: () => bodyOf(controlPlane.GET('/_souk/life')),
  refetchInterval: POLL_MILLISECONDS,
})

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => bodyOf(controlPlane.GET('/_souk/overview')),
  refetchInterval: POLL_MILLISECONDS,
})

/** Loads what the page shows while its code is loaded. The overview takes longest, and others would wait for it. */
export function prefetchHome(queries: QueryClient): void {
  if (!queries.getQueryData(sessionQuery.queryKey)?.hasControlPlane) return
  void queries.prefetchQuery(clockQuery)
  void queries.prefetchQuery(dueQuery)
  void queries.prefetchQuery(lifeQuery)
  void queries.prefetchQuery(overviewQuery)
}
