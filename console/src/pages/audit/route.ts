import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/audit',
  component: lazyRouteComponent(() => import('./page.tsx'), 'AuditPage'),
})
