import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const faultsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/faults',
  component: lazyRouteComponent(() => import('./page.tsx'), 'FaultsPage'),
})
