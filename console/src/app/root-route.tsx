import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, redirect } from '@tanstack/react-router'
import { isSignedOut } from '../api/failure.ts'
import { currentSelection } from '../api/selection.ts'
import { ensureSelection, sessionQuery } from '../api/session.ts'
import { RouteError } from './route-error.tsx'
import { Shell } from './shell.tsx'

const SIGN_IN = '/sign-in'

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  beforeLoad: async ({ context, location }) => {
    if (location.pathname === SIGN_IN) return
    try {
      const session = await context.queries.ensureQueryData(sessionQuery)
      const { sellerId, marketplaceId } = currentSelection()
      ensureSelection(session, sellerId, marketplaceId)
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: SIGN_IN, search: { from: location.href } })
      throw error
    }
  },
  component: Shell,
  errorComponent: RouteError,
})
