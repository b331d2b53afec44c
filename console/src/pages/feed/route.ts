import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const feedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/feeds/$feedId',
  component: lazyRouteComponent(() => import('./page.tsx'), 'FeedPage'),
})
