import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { PROCESSING_STATUSES, type ProcessingStatus } from '../../api/processing.ts'
import { REPORT_TYPES } from '../../api/report-types.ts'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue, knownValues } from '../../ui/search-params.ts'

const TYPE_NAMES = REPORT_TYPES.map(({ name }) => name)

export interface ReportsSearch {
  tab?: 'schedules' | undefined
  types?: string[] | undefined
  states?: ProcessingStatus[] | undefined
  /** The form for a new report, or for a schedule on that tab, is open. */
  form?: 'open' | undefined
}

export const reportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  validateSearch: (search: Record<string, unknown>): ReportsSearch => ({
    tab: knownValue(search.tab, ['schedules']),
    types: knownValues(search.types, TYPE_NAMES),
    states: knownValues(search.states, PROCESSING_STATUSES),
    form: knownValue(search.form, ['open']),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ReportsPage'),
})
