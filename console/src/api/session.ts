import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { consoleHeaders, setCsrfToken } from './client.ts'
import { readFailure } from './failure.ts'
import { select, useSelection } from './selection.ts'

const SESSION = '/console/v1/session'

export interface SellerAccount {
  sellerId: string
  name: string
  marketplaceIds: string[]
}

/** Who looks at the console, and what they may see. */
export interface Session {
  mode: 'dev' | 'serve'
  role: 'developer' | 'operator' | 'seller'
  accountName?: string
  sellerId?: string
  sellers: SellerAccount[]
  csrfToken?: string
  hasControlPlane: boolean
  version: string
  now: string
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    const response = await fetch(SESSION, { headers: consoleHeaders() })
    if (!response.ok) throw await readFailure(response)
    const session: Session = await response.json()
    setCsrfToken(session.csrfToken)
    return session
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

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
  select({ sellerId: chosen.seller?.sellerId, marketplaceId: chosen.marketplaceId })
}

function chooseSeller({ sellers }: Session, sellerId: string | undefined, marketplaceId: string | undefined) {
  const seller = sellers.find((one) => one.sellerId === sellerId) ?? sellers[0]
  const isKnown = marketplaceId !== undefined && seller?.marketplaceIds.includes(marketplaceId)
  return { seller, marketplaceId: isKnown ? marketplaceId : seller?.marketplaceIds[0] }
}

export type Credentials = { name: string; password: string } | { operatorKey: string }

export async function signIn(credentials: Credentials): Promise<void> {
  const response = await fetch(SESSION, {
    method: 'POST',
    headers: { ...consoleHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  if (!response.ok) throw await readFailure(response)
}

export async function signOut(): Promise<void> {
  const response = await fetch(SESSION, { method: 'DELETE', headers: consoleHeaders() })
  if (!response.ok) throw await readFailure(response)
}
