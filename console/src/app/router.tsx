import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { isSignedOut } from '../api/failure.ts'
import { accountsRoute } from '../pages/accounts/route.ts'
import { applicationsRoute } from '../pages/applications/route.ts'
import { auditRoute } from '../pages/audit/route.ts'
import { authorizeRoute } from '../pages/authorize/route.ts'
import { deliveriesRoute } from '../pages/deliveries/route.ts'
import { faultsRoute } from '../pages/faults/route.ts'
import { feedRoute } from '../pages/feed/route.ts'
import { feedsRoute } from '../pages/feeds/route.ts'
import { gradeRoute } from '../pages/grade/route.ts'
import { homeRoute } from '../pages/home/route.ts'
import { jobsRoute } from '../pages/jobs/route.ts'
import { listingRoute } from '../pages/listing/route.ts'
import { listingsRoute } from '../pages/listings/route.ts'
import { notificationsRoute } from '../pages/notifications/route.ts'
import { orderRoute } from '../pages/order/route.ts'
import { ordersRoute } from '../pages/orders/route.ts'
import { productRoute } from '../pages/product/route.ts'
import { reportRoute } from '../pages/report/route.ts'
import { reportsRoute } from '../pages/reports/route.ts'
import { requestsRoute } from '../pages/requests/route.ts'
import { sellersRoute } from '../pages/sellers/route.ts'
import { signInRoute } from '../pages/sign-in/route.ts'
import { stateRoute } from '../pages/state/route.ts'
import { usageRoute } from '../pages/usage/route.ts'
import { ErrorState, Loading } from '../ui/states.tsx'
import { rootRoute } from './root-route.tsx'
import { RouteError } from './route-error.tsx'
import { parseSearch, stringifySearch } from './search-string.ts'

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  mutationCache: new MutationCache({ onError: signInAgain }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // The service is on this machine or has its own retries; a person can try again sooner than a timer.
      retry: false,
    },
  },
})

/** A session that has ended leads to the sign-in, and from there back. */
function signInAgain(error: unknown): void {
  const { href, pathname } = router.state.location
  if (isSignedOut(error) && pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { from: href } })
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    accountsRoute,
    applicationsRoute,
    auditRoute,
    authorizeRoute,
    deliveriesRoute,
    faultsRoute,
    feedRoute,
    feedsRoute,
    gradeRoute,
    homeRoute,
    jobsRoute,
    listingRoute,
    listingsRoute,
    notificationsRoute,
    orderRoute,
    ordersRoute,
    productRoute,
    reportRoute,
    reportsRoute,
    requestsRoute,
    sellersRoute,
    signInRoute,
    stateRoute,
    usageRoute,
  ]),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  context: { queries },
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: () => <ErrorState error={new Error('There is no such page.')} />,
})

/** Loads the code of the page at the address meanwhile: the router does so only once it has the session. */
export function preloadPage(): void {
  const matches: { routeId: keyof typeof router.routesById }[] = router.matchRoutes(router.latestLocation)
  for (const { routeId } of matches) {
    // The router tries again and shows the error.
    router.loadRouteChunk(router.routesById[routeId])?.catch(() => undefined)
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
