import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { FEED_TYPES } from '../../api/feed-types.ts'
import { PROCESSING_STATUSES, type ProcessingStatus } from '../../api/processing.ts'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValues } from '../../ui/search-params.ts'

const TYPE_NAMES = FEED_TYPES.map(({ name }) => name)

export interface FeedsSearch {
  types?: string[] | undefined
  states?: ProcessingStatus[] | undefined
}

export const feedsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/feeds',
  validateSearch: (search: Record<string, unknown>): FeedsSearch => ({
    types: knownValues(search.types, TYPE_NAMES),
    states: knownValues(search.states, PROCESSING_STATUSES),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'FeedsPage'),
})
