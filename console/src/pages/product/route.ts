import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const productRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/products/$asin',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ProductPage'),
})
