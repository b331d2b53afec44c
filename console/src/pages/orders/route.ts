import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { FULFILLMENT_STATUSES, type FulfillmentStatus } from '../../ui/order-status.tsx'
import { dayValue, knownValues, textValue } from '../../ui/search-params.ts'

const STATUSES = FULFILLMENT_STATUSES.map(({ value }) => value)

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
    status: knownValues(status, STATUSES),
    from: dayValue(from),
    to: dayValue(to),
    orderId: textValue(orderId),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'OrdersPage'),
})
