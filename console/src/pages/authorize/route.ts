import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

export interface AuthorizeSearch {
  application_id?: string | undefined
  redirect_uri?: string | undefined
  state?: string | undefined
}

export const authorizeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authorize',
  // The names are those of the live service's consent page.
  validateSearch: ({ application_id, redirect_uri, state }: Record<string, unknown>): AuthorizeSearch => ({
    application_id: text(application_id),
    redirect_uri: text(redirect_uri),
    state: text(state),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'AuthorizePage'),
})
