import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const listingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/listings/$sku',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ListingPage'),
})
