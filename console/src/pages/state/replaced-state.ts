import { useQueryClient } from '@tanstack/react-query'
import { currentSelection } from '../../api/selection.ts'
import { ensureSelection, reloadEverything, sessionQuery } from '../../api/session.ts'

/** What to do once the whole marketplace is another one: its sellers may be others, too. */
export function useReplacedState(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    try {
      const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
      const { sellerId, marketplaceId } = currentSelection()
      ensureSelection(session, sellerId, marketplaceId)
    } finally {
      await reloadEverything(queries)
    }
  }
}
