import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // A path of the console only: a link must not lead to another site after the sign-in.
  validateSearch: ({ from }: { from?: unknown }) => ({
    from: typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : '/',
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
})
