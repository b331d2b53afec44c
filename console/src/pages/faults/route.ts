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
    ...readRule(rule),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'FaultsPage'),
})

/** Links have it as an object, addresses as JSON. */
function readRule(rule: unknown): Pick<FaultsSearch, 'rule'> {
  try {
    const value: unknown = typeof rule === 'string' ? JSON.parse(rule) : rule
    return typeof value === 'object' && value !== null ? { rule: value as Record<string, unknown> } : {}
  } catch {
    return {}
  }
}
