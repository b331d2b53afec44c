import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue, textValue } from '../../ui/search-params.ts'

const STATES = ['WAITING', 'RUNNING', 'GIVEN_UP'] as const

interface JobsSearch {
  state: (typeof STATES)[number]
  kind?: string | undefined
}

export const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/jobs',
  validateSearch: ({ state, kind }: { state?: string; kind?: string | undefined }): JobsSearch => ({
    state: knownValue(state, STATES) ?? 'WAITING',
    kind: textValue(kind),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'JobsPage'),
})
