import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const gradeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/grade',
  component: lazyRouteComponent(() => import('./page.tsx'), 'GradePage'),
})
