import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue } from '../../ui/search-params.ts'

export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/usage',
  validateSearch: ({ period }: { period?: string }): { period?: Period | undefined } => ({
    period: knownValue(period, PERIODS),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'UsagePage'),
})
