import { ActionIcon, Group, Select, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { marketplaceLabel } from '../api/marketplaces.ts'
import { select } from '../api/selection.ts'
import { signOut, useSeller, useSession } from '../api/session.ts'
import { useAct } from '../ui/act.ts'
import { HeaderClock } from './header-clock.tsx'

export function HeaderControls() {
  const { sellers, hasControlPlane, mode } = useSession()
  return (
    <Group gap="xs" ml="auto" wrap="nowrap">
      {hasControlPlane && <HeaderClock />}
      {sellers.length > 0 && <SellerSelect />}
      <ThemeToggle />
      {mode === 'serve' && <SignOut />}
    </Group>
  )
}

function SellerSelect() {
  const { sellers } = useSession()
  const { seller, marketplaceId } = useSeller()
  const queries = useQueryClient()
  if (!seller) return null
  const choose = (selection: Parameters<typeof select>[0]) => {
    select(selection)
    // Nothing of one seller may be shown beside the name of another.
    void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
  return (
    <>
      <Select
        visibleFrom="md"
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
      <Select
        visibleFrom="lg"
        size="xs"
        aria-label="Marketplace"
        data={seller.marketplaceIds.map((id) => ({ value: id, label: marketplaceLabel(id) }))}
        value={marketplaceId ?? null}
        allowDeselect={false}
        onChange={(id) => id && choose({ marketplaceId: id })}
      />
    </>
  )
}

function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip label={`Use the ${other} theme`}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={`Use the ${other} theme`}
        onClick={() => setColorScheme(other)}
      >
        {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

function SignOut() {
  const act = useAct({
    run: signOut,
    // Also forgets everything that the page has loaded.
    onDone: () => location.assign('/console/sign-in'),
  })
  return (
    <Tooltip label="Sign out">
      <ActionIcon variant="default" size="lg" aria-label="Sign out" onClick={() => act.mutate()}>
        <IconLogout size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
