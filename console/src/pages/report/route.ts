import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue, textValue } from '../../ui/search-params.ts'

export interface ReportSearch {
  view?: 'raw' | undefined
  /** The text that shown rows contain. */
  find?: string | undefined
}

export const reportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports/$reportId',
  validateSearch: (search: Record<string, unknown>): ReportSearch => ({
    view: knownValue(search.view, ['raw']),
    find: textValue(search.find),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ReportPage'),
})
