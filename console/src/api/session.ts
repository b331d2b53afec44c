import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { bodyOf, service } from './client.ts'
import type { paths } from './generated/service.d.ts'
import { rememberSession } from './own-session.ts'
import { correctSelection, useSelection } from './selection.ts'

type SessionPaths = paths['/console/v1/session']

/** Who looks at the console, and what they may see. */
export type Session = SessionPaths['get']['responses']['200']['content']['application/json']
export type SellerAccount = Session['sellers'][number]
export type Credentials = { name: string; password: string } | { operatorKey: string }

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    const session = await bodyOf(service.GET('/console/v1/session'))
    rememberSession(session)
    return session
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** Forgets all that was loaded except the session, even if it cannot be loaded again, and loads what is shown. */
export const reloadEverything = (queries: QueryClient): Promise<void> =>
  queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data

/** The seller whose data is shown, and the marketplace, as far as the session has any. */
export function useSeller(): { seller: SellerAccount | undefined; marketplaceId: string | undefined } {
  const session = useSession()
  const { sellerId, marketplaceId } = useSelection()
  return chooseSeller(session, sellerId, marketplaceId)
}

/** Selects the first seller and marketplace unless the stored selection is still there. Call it before any request. */
export function ensureSelection(session: Session, sellerId?: string, marketplaceId?: string): void {
  const chosen = chooseSeller(session, sellerId, marketplaceId)
  correctSelection({ sellerId: chosen.seller?.sellerId, marketplaceId: chosen.marketplaceId })
}

function chooseSeller({ sellers }: Session, sellerId: string | undefined, marketplaceId: string | undefined) {
  const seller = sellers.find((one) => one.sellerId === sellerId) ?? sellers[0]
  const isKnown = marketplaceId !== undefined && seller?.marketplaceIds.includes(marketplaceId)
  return { seller, marketplaceId: isKnown ? marketplaceId : seller?.marketplaceIds[0] }
}

export async function signIn(credentials: Credentials): Promise<void> {
  await service.POST('/console/v1/session', { body: credentials })
}

export async function signOut(): Promise<void> {
  await service.DELETE('/console/v1/session')
}
