import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { textValue, timeValue } from '../../ui/search-params.ts'

export interface AuditSearch {
  actor?: string | undefined
  operation?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    actor: textValue(search.actor),
    operation: textValue(search.operation),
    from: timeValue(search.from),
    to: timeValue(search.to),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'AuditPage'),
})
