import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const accountsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/accounts',
  component: lazyRouteComponent(() => import('./page.tsx'), 'AccountsPage'),
})
