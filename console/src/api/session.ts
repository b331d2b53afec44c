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

/** How many sellers a session has at most, besides the selected one. */
export const FIRST_SELLERS = 100
const FOUND_SELLERS = 20

/** For a developer, whose session has the first sellers only. */
export const foundSellersQuery = (search: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['foundSellers', search],
    queryFn: async (): Promise<SellerAccount[]> => {
      const query = { search, pageSize: FOUND_SELLERS }
      const { sellers } = await bodyOf(service.GET('/operator/v1/sellers', { params: { query } }))
      return sellers.map(({ sellerId, business, participations }) => ({
        sellerId,
        name: business?.name ?? participations[0]?.storeName ?? sellerId,
        marketplaceIds: participations.flatMap((one) => (one.isParticipating ? [one.marketplaceId] : [])),
      }))
    },
    enabled,
    staleTime: 10_000,
  })

/** Adds a seller who was found to those of the session, as the server does when it is loaded again. */
export const addSeller = (queries: QueryClient, seller: SellerAccount): void =>
  void queries.setQueryData(sessionQuery.queryKey, (session) =>
    session ? { ...session, sellers: [...session.sellers, seller] } : session,
  )

export async function signIn(credentials: Credentials): Promise<void> {
  await service.POST('/console/v1/session', { body: credentials })
}

export async function signOut(): Promise<void> {
  await service.DELETE('/console/v1/session')
}
