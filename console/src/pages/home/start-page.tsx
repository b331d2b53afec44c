import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { NAVIGATION } from '../../app/navigation.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { LatestOrders } from './latest-orders.tsx'

/** The start of sellers and operators, whose marketplace has no control plane. */
export function StartPage() {
  const session = useSession()
  const items = NAVIGATION.filter((group) => group.isFor(session))
    .flatMap((group) => group.items)
    .filter(({ to }) => to !== '/')
  return (
    <Page title="Home" about={session.accountName && `Signed in as ${session.accountName}.`}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {items.map(({ to, label, icon: Icon }) => (
          <Paper key={to} withBorder p="md">
            <Group gap="xs" wrap="nowrap">
              <Icon size={20} aria-hidden />
              <AnchorLink to={to}>
                <Text span fw={500}>
                  {label}
                </Text>
              </AnchorLink>
            </Group>
          </Paper>
        ))}
      </SimpleGrid>
      {session.role === 'seller' && <LatestOrders />}
    </Page>
  )
}
