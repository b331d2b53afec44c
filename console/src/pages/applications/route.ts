import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const applicationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/applications',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ApplicationsPage'),
})
