import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue, textValue } from '../../ui/search-params.ts'

export const IDENTIFIER_TYPES = ['SKU', 'ASIN', 'EAN', 'UPC', 'GTIN', 'FNSKU'] as const
export const STATES = ['BUYABLE', 'NOT_BUYABLE', 'NOT_DISCOVERABLE'] as const
export const SEVERITIES = ['ERROR', 'WARNING'] as const

export interface ListingsSearch {
  identifier?: string | undefined
  type?: (typeof IDENTIFIER_TYPES)[number] | undefined
  state?: (typeof STATES)[number] | undefined
  issues?: (typeof SEVERITIES)[number] | undefined
}

export const listingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/listings',
  validateSearch: ({ identifier, type, state, issues }: Record<string, unknown>): ListingsSearch => ({
    identifier: textValue(identifier),
    type: knownValue(type, IDENTIFIER_TYPES),
    state: knownValue(state, STATES),
    issues: knownValue(issues, SEVERITIES),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ListingsPage'),
})
