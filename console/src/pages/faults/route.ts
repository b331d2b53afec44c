import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'

export interface FaultsSearch {
  view?: 'incidents'
  /** A rule to begin the form with. Without any field, the form is empty. */
  rule?: Record<string, unknown>
}

export const faultsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/faults',
  validateSearch: ({ view, rule }: Record<string, unknown>): FaultsSearch => ({
    ...(view === 'incidents' && { view }),
    ...(typeof rule === 'object' && rule !== null && { rule: rule as Record<string, unknown> }),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'FaultsPage'),
})
