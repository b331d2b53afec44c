import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue, textValue } from '../../ui/search-params.ts'

const VIEWS = ['deliveries', 'events'] as const
const STATES = ['PENDING', 'DEAD'] as const

interface DeliveriesSearch {
  view: (typeof VIEWS)[number]
  state: (typeof STATES)[number]
  /** Of deliveries. */
  type?: string | undefined
  seller?: string | undefined
}

export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator/deliveries',
  validateSearch: ({ view, state, type, seller }: Partial<DeliveriesSearch>): DeliveriesSearch => ({
    view: knownValue(view, VIEWS) ?? 'deliveries',
    state: knownValue(state, STATES) ?? 'DEAD',
    type: textValue(type),
    seller: textValue(seller),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'DeliveriesPage'),
})
