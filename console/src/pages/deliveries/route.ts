import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/deliveries',
  component: lazyRouteComponent(() => import('./page.tsx'), 'DeliveriesPage'),
})
