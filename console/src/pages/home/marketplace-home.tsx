import { SimpleGrid } from '@mantine/core'
import { Page } from '../../ui/page.tsx'
import { ClockCard } from './clock-card.tsx'
import { DueCard } from './due-card.tsx'
import { LifeCard } from './life-card.tsx'
import { OverviewCards } from './overview-cards.tsx'

/** The start of `souk dev`: time, what happens, and what happens next. */
export function MarketplaceHome() {
  return (
    <Page title="Home" about="The time of the marketplace, what happens in it, and what happens next.">
      <OverviewCards />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ClockCard />
        <LifeCard />
      </SimpleGrid>
      <DueCard />
    </Page>
  )
}
