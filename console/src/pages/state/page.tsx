import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function StatePage() {
  return (
    <Page title="Snapshots and forks">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
