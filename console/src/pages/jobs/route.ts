import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue } from '../../ui/search-params.ts'

const STATES = ['WAITING', 'RUNNING', 'GIVEN_UP'] as const

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/jobs',
  validateSearch: ({ state }: { state?: string }) => ({ state: knownValue(state, STATES) ?? 'WAITING' }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'JobsPage'),
})
