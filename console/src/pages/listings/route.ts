import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { textValue } from '../../ui/search-params.ts'

export const IDENTIFIER_TYPES = ['SKU', 'ASIN', 'EAN', 'UPC', 'GTIN', 'FNSKU'] as const
export const STATES = ['BUYABLE', 'NOT_BUYABLE', 'NOT_DISCOVERABLE'] as const
export const SEVERITIES = ['ERROR', 'WARNING'] as const

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value)

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
    type: oneOf(IDENTIFIER_TYPES, type),
    state: oneOf(STATES, state),
    issues: oneOf(SEVERITIES, issues),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ListingsPage'),
})
