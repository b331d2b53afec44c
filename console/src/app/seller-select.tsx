import { type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { marketplaceLabel } from '../api/marketplaces.ts'
import { select } from '../api/selection.ts'
import {
  addSeller,
  FIRST_SELLERS,
  foundSellersQuery,
  reloadEverything,
  type SellerAccount,
  useSeller,
  useSession,
} from '../api/session.ts'

type Visibility = Pick<SelectProps, 'visibleFrom' | 'hiddenFrom'>

/** Whose data the pages show. */
export function SellerSelect(visibility: Visibility) {
  const { sellers, role } = useSession()
  const { seller } = useSeller()
  const choose = useChoice()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 300)
  const hasMore = role === 'developer' && sellers.length >= FIRST_SELLERS
  const found = useQuery(foundSellersQuery(search, hasMore && search !== '' && search !== seller?.name)).data
  if (!seller) return null
  const all = new Map([...sellers, ...(found ?? [])].map((one) => [one.sellerId, one]))
  return (
    <Select
      {...visibility}
      size="xs"
      aria-label="Seller"
      data={[...all.values()].map(({ sellerId, name }) => ({ value: sellerId, label: name }))}
      value={seller.sellerId}
      allowDeselect={false}
      searchable={sellers.length > 10}
      {...(hasMore && { searchValue: text, onSearchChange: setText, filter: showsFound(found), limit: FIRST_SELLERS })}
      onChange={(sellerId) => {
        const next = sellerId === null ? undefined : all.get(sellerId)
        if (!next) return
        if (!sellers.includes(next)) addSeller(queries, next)
        choose({ sellerId: next.sellerId, marketplaceId: next.marketplaceIds[0] })
      }}
    />
  )
}

/** What the server found also matches by an id or an address, which are not in its label. */
const showsFound =
  (found: readonly SellerAccount[] | undefined): OptionsFilter =>
  ({ options, search }) => {
    const ids = new Set(found?.map(({ sellerId }) => sellerId))
    const text = search.trim().toLowerCase()
    return options.filter(
      (option) => 'value' in option && (ids.has(String(option.value)) || option.label.toLowerCase().includes(text)),
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
