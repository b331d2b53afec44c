import { Select, type SelectProps } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { marketplaceLabel } from '../api/marketplaces.ts'
import { select } from '../api/selection.ts'
import { reloadEverything, useSeller, useSession } from '../api/session.ts'

type Visibility = Pick<SelectProps, 'visibleFrom' | 'hiddenFrom'>

/** Whose data the pages show. */
export function SellerSelect(visibility: Visibility) {
  const { sellers } = useSession()
  const { seller } = useSeller()
  const choose = useChoice()
  if (!seller) return null
  return (
    <Select
      {...visibility}
      size="xs"
      aria-label="Seller"
      data={sellers.map(({ sellerId, name }) => ({ value: sellerId, label: name }))}
      value={seller.sellerId}
      allowDeselect={false}
      searchable={sellers.length > 10}
      onChange={(sellerId) => {
        const next = sellers.find((one) => one.sellerId === sellerId)
        if (next) choose({ sellerId: next.sellerId, marketplaceId: next.marketplaceIds[0] })
      }}
    />
  )
}

export function MarketplaceSelect(visibility: Visibility) {
  const { seller, marketplaceId } = useSeller()
  const choose = useChoice()
  if (!seller) return null
  return (
    <Select
      {...visibility}
      size="xs"
      aria-label="Marketplace"
      data={seller.marketplaceIds.map((id) => ({ value: id, label: marketplaceLabel(id) }))}
      value={marketplaceId ?? null}
      allowDeselect={false}
      onChange={(id) => id && choose({ marketplaceId: id })}
    />
  )
}

function useChoice() {
  const queries = useQueryClient()
  return (selection: Parameters<typeof select>[0]) => {
    // At once: queries of the old page that are still shown would be loaded for the new seller.
    flushSync(() => select(selection))
    // Nothing of one seller may be shown beside the name of another.
    void reloadEverything(queries)
  }
}
