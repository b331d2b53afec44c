import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { type FulfillmentStatus, isFulfillmentStatus } from '../../ui/order-status.tsx'
import { searchText } from '../../ui/search-text.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

const dayOf = (value: unknown) => (typeof value === 'string' && DAY.test(value) ? value : undefined)

export interface OrdersSearch {
  status?: FulfillmentStatus[] | undefined
  from?: string | undefined
  to?: string | undefined
  orderId?: string | undefined
}

export const ordersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders',
  validateSearch: ({ status, from, to, orderId }: Record<string, unknown>): OrdersSearch => ({
    status: Array.isArray(status) ? status.map(String).filter(isFulfillmentStatus) : undefined,
    from: dayOf(from),
    to: dayOf(to),
    orderId: searchText(orderId),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'OrdersPage'),
})
