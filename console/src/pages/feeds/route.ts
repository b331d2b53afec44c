import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const feedsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/feeds',
  component: lazyRouteComponent(() => import('./page.tsx'), 'FeedsPage'),
})
