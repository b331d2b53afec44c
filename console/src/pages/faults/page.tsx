import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function FaultsPage() {
  return (
    <Page title="Faults and incidents">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
