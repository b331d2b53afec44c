import { AppShell, Burger, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useSwitches } from '../api/selection.ts'
import { useSession } from '../api/session.ts'
import { Empty } from '../ui/states.tsx'
import { HeaderControls } from './header-controls.tsx'
import { findObstacle, NAVIGATION } from './navigation.ts'
import { MarketplaceSelect, SellerSelect } from './seller-select.tsx'

/** The frame around every page: where one is, for whom, and at which time. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return path === '/sign-in' ? <Outlet /> : <SignedInShell path={path} />
}

function SignedInShell({ path }: { path: string }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const switches = useSwitches()
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <Text component={Link} to="/" fw={700} size="lg" c="inherit" td="none">
            Souk
          </Text>
          <HeaderControls />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Stack gap="xs" hiddenFrom="lg">
          <SellerSelect hiddenFrom="md" />
          <MarketplaceSelect />
        </Stack>
        <Navigation path={path} onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        {/* Forms and dialogs have data of one seller, so a page starts again for another. */}
        <PageOf key={switches} path={path} />
      </AppShell.Main>
    </AppShell>
  )
}

/** A page of someone else would show only the refusals of the service. */
function PageOf({ path }: { path: string }) {
  const obstacle = findObstacle(useSession(), path)
  return obstacle === undefined ? <Outlet /> : <Empty>{obstacle}</Empty>
}

function Navigation({ path, onFollow }: { path: string; onFollow(): void }) {
  const session = useSession()
  return (
    <ScrollArea>
      {NAVIGATION.filter((group) => group.isFor(session)).map((group) => (
        <nav key={group.label} aria-label={group.label}>
          <Text size="xs" c="dimmed" fw={600} tt="uppercase" mt="sm" mb={4} px="xs">
            {group.label}
          </Text>
          {group.items.map(({ to, label, icon: Icon }) => {
            const isActive = to === '/' ? path === '/' : path.startsWith(to)
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                active={isActive}
                aria-current={isActive ? 'page' : undefined}
                onClick={onFollow}
              />
            )
          })}
        </nav>
      ))}
    </ScrollArea>
  )
}
