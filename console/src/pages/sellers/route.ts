import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const sellersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/sellers',
  component: lazyRouteComponent(() => import('./page.tsx'), 'SellersPage'),
})
