import type { ReactNode } from 'react'
import { useSeller } from '../api/session.ts'
import { Empty } from './states.tsx'

export interface Selling {
  sellerId: string
  marketplaceId: string
}

/** Shows what belongs to the selected seller in the selected marketplace. */
export function ForSeller({ children }: { children(selling: Selling): ReactNode }) {
  const { seller, marketplaceId } = useSeller()
  if (!seller || !marketplaceId) return <Empty>No seller with a marketplace is selected.</Empty>
  return <>{children({ sellerId: seller.sellerId, marketplaceId })}</>
}
