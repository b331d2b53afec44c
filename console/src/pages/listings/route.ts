import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const listingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/listings',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ListingsPage'),
})
