import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue } from '../../ui/search-params.ts'

const VIEWS = ['result', 'submitted'] as const

export interface FeedSearch {
  /** Default: the issues. */
  view?: (typeof VIEWS)[number] | undefined
  /** The messages that were not accepted are open in an editor. */
  fix?: 'open' | undefined
}

export const feedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/feeds/$feedId',
  validateSearch: (search: Record<string, unknown>): FeedSearch => ({
    view: knownValue(search.view, VIEWS),
    fix: knownValue(search.fix, ['open']),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'FeedPage'),
})
