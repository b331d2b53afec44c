import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue } from '../../ui/search-params.ts'

const VIEWS = ['deliveries', 'events'] as const
const STATES = ['PENDING', 'DEAD'] as const

export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/deliveries',
  validateSearch: ({ view, state }: { view?: string; state?: string }) => ({
    view: knownValue(view, VIEWS) ?? 'deliveries',
    state: knownValue(state, STATES) ?? 'DEAD',
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'DeliveriesPage'),
})
