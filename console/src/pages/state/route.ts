import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const stateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/state',
  component: lazyRouteComponent(() => import('./page.tsx'), 'StatePage'),
})
