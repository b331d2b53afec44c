import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/jobs',
  component: lazyRouteComponent(() => import('./page.tsx'), 'JobsPage'),
})
