import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/usage',
  component: lazyRouteComponent(() => import('./page.tsx'), 'UsagePage'),
})
