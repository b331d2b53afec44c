import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { knownValue, textValue } from '../../ui/search-params.ts'

const TABS = ['destinations', 'deliveries', 'queue', 'eventBus'] as const
const STATES = ['PENDING', 'DEAD', 'SENT'] as const

export interface NotificationsSearch {
  /** Default: subscriptions. */
  tab?: (typeof TABS)[number] | undefined
  /** Of deliveries. */
  state?: (typeof STATES)[number] | undefined
  type?: string | undefined
  /** The local queue that is open. */
  queue?: string | undefined
}

export const notificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/notifications',
  validateSearch: (search: Record<string, unknown>): NotificationsSearch => ({
    tab: knownValue(search.tab, TABS),
    state: knownValue(search.state, STATES),
    type: textValue(search.type),
    queue: textValue(search.queue),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'NotificationsPage'),
})
