import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { prefetchHome } from './queries.ts'

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: ({ context }) => prefetchHome(context.queries),
  component: lazyRouteComponent(() => import('./page.tsx'), 'HomePage'),
})
