import { ActionIcon, Group, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { signOut, useSession } from '../api/session.ts'
import { useAct } from '../ui/act.ts'
import { HeaderClock } from './header-clock.tsx'
import { MarketplaceSelect, SellerSelect } from './seller-select.tsx'

export function HeaderControls() {
  const { hasControlPlane, mode } = useSession()
  return (
    <Group gap="xs" ml="auto" wrap="nowrap">
      {hasControlPlane && <HeaderClock />}
      <SellerSelect visibleFrom="md" />
      <MarketplaceSelect visibleFrom="lg" />
      <ThemeToggle />
      {mode === 'serve' && <SignOut />}
    </Group>
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
