import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { REQUEST_FILTERS, type RequestFilter } from '../../api/request-log.ts'
import { rootRoute } from '../../app/root-route.tsx'

interface RequestsSearch extends RequestFilter {
  /** The id of the request that is open. */
  request?: string
}

export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  validateSearch: (search: Record<string, unknown>): RequestsSearch =>
    Object.fromEntries(
      [...REQUEST_FILTERS, 'request']
        .filter((name) => search[name] !== undefined && search[name] !== '')
        .map((name) => [name, String(search[name])]),
    ),
  component: lazyRouteComponent(() => import('./page.tsx'), 'RequestsPage'),
})
