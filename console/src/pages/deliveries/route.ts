import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

const VIEWS = ['deliveries', 'events'] as const
const STATES = ['PENDING', 'DEAD'] as const

export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/deliveries',
  validateSearch: ({ view, state }: { view?: string; state?: string }) => ({
    view: VIEWS.find((one) => one === view) ?? 'deliveries',
    state: STATES.find((one) => one === state) ?? 'DEAD',
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'DeliveriesPage'),
})
